import { describe, expect, it, vi } from 'vitest';
import { TIMERS, within } from '../../src/model/within.ts';

describe('a step that is waited for', () => {
  it('returns its result, even undefined, and leaves no timer', async () => {
    vi.useFakeTimers();
    try {
      expect(await within(TIMERS, Promise.resolve(7), 1000)).toEqual({ value: 7 });
      expect(await within(TIMERS, Promise.resolve(undefined), 1000)).toEqual({ value: undefined });
      await expect(within(TIMERS, Promise.reject(new Error('broken')), 1000)).rejects.toThrow('broken');
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  it('is abandoned when its time is over, and may fail later', async () => {
    let fail: (error: Error) => void = () => undefined;
    const step = new Promise<never>((_, reject) => (fail = reject));
    expect(await within(TIMERS, step, 1)).toBeUndefined();
    fail(new Error('too late to matter'));
    await new Promise((resolve) => setImmediate(resolve));
  });
});
