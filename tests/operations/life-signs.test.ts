import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LifeSigns } from '../../src/operations/holder/life-signs.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function watched() {
  const onSilence = vi.fn<() => void>();
  const ask = vi.fn<() => void>();
  return { ask, onSilence, signs: new LifeSigns({ ask, onSilence }) };
}

describe('signs of life', () => {
  it('are asked for only while an answer is awaited', () => {
    const { ask, onSilence, signs } = watched();
    vi.advanceTimersByTime(60_000);
    signs.expect(true);
    signs.expect(false);
    vi.advanceTimersByTime(60_000);
    expect([ask, onSilence].map((each) => each.mock.calls.length)).toEqual([0, 0]);
  });

  it('that come keep a long wait alive', () => {
    const { ask, onSilence, signs } = watched();
    ask.mockImplementation(() => signs.heard());
    signs.expect(true);
    vi.advanceTimersByTime(3_600_000);
    expect(onSilence).not.toHaveBeenCalled();
  });

  it('that do not come end a wait before five seconds, and the next one sooner', () => {
    const { onSilence, signs } = watched();
    signs.expect(true);
    vi.advanceTimersByTime(3900);
    expect(onSilence).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1000);
    expect(onSilence).toHaveBeenCalledTimes(1);
    signs.expect(false);
    signs.expect(true);
    vi.advanceTimersByTime(1500);
    expect(onSilence).toHaveBeenCalledTimes(2);
    // One that goes on has its whole time again.
    signs.expect(false);
    signs.heard();
    signs.expect(true);
    vi.advanceTimersByTime(3900);
    expect(onSilence).toHaveBeenCalledTimes(2);
  });
});
