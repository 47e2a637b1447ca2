import { DeskterityError } from '../../model/effects/errors.ts';
import type { ClockPort } from '../../ports/clock.ts';
import type { CallOptions } from '../../ports/desktop.ts';

/** How long an act waits for its target to be ready. */
const READY_LIMIT_MS = 5000;
const LOOK_AGAIN_MS = 100;

/**
 * What `look` finds as soon as it refuses nothing that time may change: what is disabled, moving, covered, blocked or not on screen may not stay so.
 * @throws DeskterityError NOT_ACTIONABLE with what is in the way when it stays so
 */
export async function untilReady<T>(
  clock: ClockPort,
  options: (share?: number) => CallOptions,
  look: () => Promise<T>,
): Promise<T> {
  const end = clock.now() + Math.min(READY_LIMIT_MS, options(0.5).deadlineMs);
  for (;;) {
    try {
      return await look();
    } catch (error) {
      const mayPass =
        error instanceof DeskterityError &&
        error.code === 'NOT_ACTIONABLE' &&
        error.retryable &&
        error.delivered !== true;
      if (!mayPass || clock.now() + LOOK_AGAIN_MS > end) throw error;
      await clock.sleep(LOOK_AGAIN_MS, options().signal);
    }
  }
}
