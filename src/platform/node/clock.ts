import { setTimeout as sleep } from 'node:timers/promises';
import type { ClockPort } from '../../ports/clock.ts';

/** The machine's monotonic clock. An aborted sleep rejects with an AbortError. */
export function createClock(): ClockPort {
  return {
    now: () => performance.now(),
    sleep: async (ms, signal) => {
      await sleep(ms, undefined, signal === undefined ? {} : { signal });
    },
  };
}
