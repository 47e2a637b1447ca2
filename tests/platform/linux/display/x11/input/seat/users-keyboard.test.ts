import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  FROZEN_MS,
  UsersKeyboard,
} from '../../../../../../../src/platform/linux/display/x11/input/seat/users-keyboard.ts';

const SOON = AbortSignal.timeout(60_000);

/** Notes what is asked of the display. */
function keyboard(grants: () => boolean = () => true): {
  readonly it: UsersKeyboard;
  readonly asked: string[];
} {
  const asked: string[] = [];
  const it = new UsersKeyboard({
    freeze: async () => {
      const isGranted = grants();
      asked.push(isGranted ? 'frozen' : 'refused');
      return isGranted;
    },
    thaw: async () => void asked.push('thawed'),
  });
  return { it, asked };
}

describe("the user's keyboard", () => {
  it('is frozen until nobody needs that any more', async () => {
    const { it: users, asked } = keyboard();
    const first = await users.freeze(SOON);
    const second = await users.freeze(SOON);
    await first();
    await first();
    expect(asked).toEqual(['frozen']);
    await second();
    expect(asked).toEqual(['frozen', 'thawed']);
  });

  it('is waited for while another program has it, and then not frozen', async () => {
    let isFree = false;
    const { it: users, asked } = keyboard(() => isFree);
    const abort = new AbortController();
    const freezing = users.freeze(abort.signal);
    await expect.poll(() => asked.length).toBeGreaterThan(1);
    abort.abort();
    await expect(freezing).rejects.toMatchObject({ code: 'CONFLICT', delivered: false });
    isFree = true;
    await (
      await users.freeze(SOON)
    )();
    expect(asked.slice(-2)).toEqual(['frozen', 'thawed']);
  });

  it('is not frozen for longer, whoever forgets it', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { it: users, asked } = keyboard();
    await users.freeze(SOON);
    await vi.advanceTimersByTimeAsync(FROZEN_MS - 1);
    expect(asked).toEqual(['frozen']);
    await vi.advanceTimersByTimeAsync(1);
    expect(asked).toEqual(['frozen', 'thawed']);
  });
});
