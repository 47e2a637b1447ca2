import { mentionCommand, mentionParameter } from '../model/text/mention.ts';
import { DeskterityError } from '../model/effects/errors.ts';
import type { ClockPort } from '../ports/clock.ts';
import type { CallOptions, DesktopPort } from '../ports/desktop.ts';

/** How often to look when no event comes: some toolkits forget to send them. */
const FALLBACK_POLL_MS = 250;
/** A look with less time than this may see a part only, which tells nothing of the application. */
const LEAST_LOOK_MS = 100;
/** Listening may take all of a short time, and who never looked can tell nothing. */
const FIRST_LOOK_MS = 250;

/**
 * Runs `look` until it answers something: at once, after each event of the desktop, and now and then. Listening starts before the first look,
 * or a change between the two would be missed.
 */
export async function waitFor<T>(
  parts: { readonly desktop: DesktopPort; readonly clock: ClockPort },
  options: CallOptions & { readonly what: string; readonly lastSeen?: () => string },
  look: (remainingMs: number) => Promise<T | undefined>,
): Promise<T> {
  const { desktop, clock } = parts;
  const deadline = clock.now() + options.deadlineMs;
  let wake: (() => void) | undefined;
  const stop = await desktop.watch(() => wake?.(), options).catch(() => () => undefined);
  let leastMs = FIRST_LOOK_MS;
  try {
    for (;;) {
      const woken = new Promise<void>((resolve) => {
        wake = resolve;
      });
      const began = clock.now();
      const lookMs = Math.max(leastMs, deadline - clock.now());
      leastMs = 1;
      const found = await look(lookMs).catch((error: unknown) => {
        // The last look may have had too little time to see anything; that is no failure of the desktop.
        if (error instanceof DeskterityError && error.retryable && clock.now() >= deadline) return undefined;
        throw error;
      });
      if (found !== undefined) return found;
      const left = deadline - clock.now();
      if (left <= 0) break;
      // Reading a large window at every event of a busy one would leave the application no time for itself.
      const rest = Math.min(clock.now() - began, FALLBACK_POLL_MS, left);
      if (rest > 0) await clock.sleep(rest, options.signal).catch(() => undefined);
      const after = deadline - clock.now();
      // The last look begins while there is time for it.
      const pauseMs = Math.min(FALLBACK_POLL_MS, after > LEAST_LOOK_MS ? after - LEAST_LOOK_MS : after);
      const pause = clock.sleep(Math.max(0, pauseMs), options.signal);
      // An aborted sleep fails in its own words.
      await Promise.race([woken, pause]).catch((error: unknown) => {
        if (!options.signal?.aborted) throw error;
      });
      if (options.signal?.aborted)
        throw new DeskterityError('CANCELLED', 'Waiting was cancelled.', {
          suggestion: 'Repeat the command when you want it.',
        });
      if (deadline - clock.now() < LEAST_LOOK_MS) break;
    }
  } finally {
    stop();
  }
  throw new DeskterityError(
    'TIMEOUT',
    `${options.what} did not happen within ${Math.round(options.deadlineMs)} ms.${lastSeen(options)}`,
    {
      suggestion: `Raise ${mentionParameter('timeout_ms')}, or look at what is there with ${mentionCommand('snapshot')} or ${mentionCommand('list-windows')}.`,
      retryable: true,
    },
  );
}

function lastSeen(options: { readonly lastSeen?: () => string }): string {
  const seen = options.lastSeen?.() ?? '';
  return seen === '' ? '' : ` Last seen: ${seen}.`;
}
