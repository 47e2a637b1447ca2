import type { ClockPort } from '../../ports/clock.ts';

/** The machine's monotonic clock. An aborted sleep rejects with the reason of the signal: an AbortError, where no other was given. */
export function createClock(): ClockPort {
  return { now: () => performance.now(), sleep };
}

function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) {
      reject(signal.reason);
      return;
    }
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
