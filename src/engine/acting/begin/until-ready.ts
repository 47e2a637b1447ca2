import { DeskterityError } from '../../../model/effects/errors.ts';
import type { ClockPort } from '../../../ports/clock.ts';
import type { CallOptions } from '../../../ports/call-options.ts';

/** How long an act waits for its target to be ready. */
const READY_LIMIT_MS = 5000;
const LOOK_AGAIN_MS = 100;

/**
 * Repeats `look` while it fails for a reason that may pass: the target is disabled, moving, covered, blocked or off screen.
 * @throws DeskterityError NOT_ACTIONABLE with the reason if it persists
 */
export async function untilReady<T>(
  clock: ClockPort,
  options: (share?: number) => CallOptions,
  look: () => Promise<T>,
  /** Whether waiting longer is pointless after a failed look. */
  isHopeless: () => boolean = () => false,
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
      if (!mayPass || clock.now() + LOOK_AGAIN_MS > end || isHopeless()) throw error;
      await clock.sleep(LOOK_AGAIN_MS, options().signal);
    }
  }
}
