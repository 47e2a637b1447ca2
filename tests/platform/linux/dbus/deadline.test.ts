import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { Deadline, within } from '../../../../src/platform/linux/dbus/deadline.ts';

const deadlineMs = 60_000;

function listeners(signal: AbortSignal): number {
  return getEventListeners(signal, 'abort').length;
}

describe('the listener on the signal of a call', () => {
  it('is one for all calls that share it, and goes with the last of them', () => {
    const { signal } = new AbortController();
    const [first, second] = [
      new Deadline({ deadlineMs, signal }, () => {}),
      new Deadline({ deadlineMs, signal }, () => {}),
    ];
    expect(listeners(signal)).toBe(1);
    first.clear();
    first.clear();
    expect(listeners(signal)).toBe(1);
    second.clear();
    expect(listeners(signal)).toBe(0);
  });

  it('is there again for the next call', async () => {
    const controller = new AbortController();
    const { signal } = controller;
    await within(Promise.resolve(), { deadlineMs, signal });
    expect(listeners(signal)).toBe(0);
    const pending = within(new Promise(() => {}), { deadlineMs, signal });
    controller.abort();
    await expect(pending).rejects.toMatchObject({ errorName: 'local.Cancelled' });
    expect(listeners(signal)).toBe(0);
  });

  it('reaches every call, although each leaves when it is told', () => {
    const controller = new AbortController();
    const { signal } = controller;
    const told: string[] = [];
    const all = ['a', 'b', 'c'].map((name) => new Deadline({ deadlineMs, signal }, () => told.push(name)));
    expect(all).toHaveLength(3);
    controller.abort();
    expect(told).toEqual(['a', 'b', 'c']);
  });
});
