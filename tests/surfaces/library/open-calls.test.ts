import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { OpenCalls } from '../../../src/surfaces/library/open-calls.ts';

/** Ends when it is told to, and says so. */
const untilAborted = (signal: AbortSignal) =>
  new Promise<string>((resolve) => {
    if (signal.aborted) resolve('aborted before');
    signal.addEventListener('abort', () => resolve('aborted'), { once: true });
  });

describe('calls under way', () => {
  it('end when their own signal says so, and no other does', async () => {
    const calls = new OpenCalls();
    const [mine, others] = [new AbortController(), new AbortController()];
    const call = calls.run(mine.signal, untilAborted);
    let isOtherOver = false;
    const other = calls.run(others.signal, untilAborted).finally(() => (isOtherOver = true));
    mine.abort();
    expect(await call).toBe('aborted');
    expect(isOtherOver).toBe(false);
    others.abort();
    await other;
  });

  it('see a signal that was aborted before', async () => {
    expect(await new OpenCalls().run(AbortSignal.abort(), untilAborted)).toBe('aborted before');
  });

  it('end all at once', async () => {
    const calls = new OpenCalls();
    const all = [calls.run(undefined, untilAborted), calls.run(new AbortController().signal, untilAborted)];
    calls.cancelAll();
    expect(await Promise.all(all)).toEqual(['aborted', 'aborted']);
  });

  it('leave nothing on the signal of the caller', async () => {
    const calls = new OpenCalls();
    const { signal } = new AbortController();
    await calls.run(signal, async () => undefined);
    await calls.run(signal, () => Promise.reject(new Error('failed'))).catch(() => undefined);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});
