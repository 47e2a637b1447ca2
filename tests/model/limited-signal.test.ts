import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { limitedSignal } from '../../src/model/limited-signal.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('ends work at its deadline', () => {
  const { signal, isOver } = limitedSignal({ deadlineMs: 1000 });
  vi.advanceTimersByTime(999);
  expect([signal.aborted, isOver()]).toEqual([false, false]);
  vi.advanceTimersByTime(1);
  expect([signal.aborted, isOver()]).toEqual([true, true]);
});

it('ends work that is cancelled, before it began or later', () => {
  const caller = new AbortController();
  const { signal, isOver } = limitedSignal({ deadlineMs: 1000, signal: caller.signal });
  caller.abort();
  expect([signal.aborted, isOver()]).toEqual([true, false]);
  expect(limitedSignal({ deadlineMs: 1000, signal: caller.signal }).signal.aborted).toBe(true);
});

it('holds nothing once the work has ended', () => {
  const caller = new AbortController();
  const { signal, release } = limitedSignal({ deadlineMs: 30_000, signal: caller.signal });
  expect(vi.getTimerCount()).toBe(1);
  release();
  expect(vi.getTimerCount()).toBe(0);
  expect(getEventListeners(caller.signal, 'abort')).toEqual([]);
  caller.abort();
  expect(signal.aborted).toBe(false);
});
