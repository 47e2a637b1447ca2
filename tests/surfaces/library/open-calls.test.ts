import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { OpenCalls } from '../../../src/surfaces/library/open-calls.ts';

/** Ends when it is told to, and says so. */
const untilAborted = (signal: AbortSignal) =>
  new Promise<string>((resolve) => {
    if (signal.aborted) resolve('aborted before');
    signal.addEventListener('abort', () => resolve('aborted'), { once: true });
  });

describe('running calls', () => {
  it('are aborted by their own signal only', async () => {
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

  it('notice a signal aborted earlier', async () => {
    expect(await new OpenCalls().run(AbortSignal.abort(), untilAborted)).toBe('aborted before');
  });

  it('can all be cancelled at once', async () => {
    const calls = new OpenCalls();
    const all = [calls.run(undefined, untilAborted), calls.run(new AbortController().signal, untilAborted)];
    calls.cancelAll();
    expect(await Promise.all(all)).toEqual(['aborted', 'aborted']);
  });

  it('leave no listener on the caller’s signal', async () => {
    const calls = new OpenCalls();
    const { signal } = new AbortController();
    await calls.run(signal, async () => undefined);
    await calls.run(signal, () => Promise.reject(new Error('failed'))).catch(() => undefined);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});
