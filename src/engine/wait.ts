import { mentionCommand, mentionParameter } from '../model/text/mention.ts';
import { DeskterityError } from '../model/effects/errors.ts';
import type { ClockPort } from '../ports/clock.ts';
import type { CallOptions } from '../ports/call-options.ts';
import type { DesktopPort } from '../ports/desktop/desktop.ts';

/** How often to look if no event arrives: some toolkits do not send all of them. */
const FALLBACK_POLL_MS = 250;
/** With less time than this, a look may see only part of the application, which proves nothing. */
const LEAST_LOOK_MS = 100;
/** Subscribing may use up a short deadline; the first look still gets this long. */
const FIRST_LOOK_MS = 250;

/**
 * Runs `look` until it returns something: at once, after each event of the desktop, and periodically. Subscribes before the first look so that
 * no change between the two is missed.
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
        // The last look may have had too little time; that is no failure of the desktop.
        if (error instanceof DeskterityError && error.retryable && clock.now() >= deadline) return undefined;
        throw error;
      });
      if (found !== undefined) return found;
      const left = deadline - clock.now();
      if (left <= 0) break;
      // Reading a large window at every event would leave a busy application no time for its own work.
      const rest = Math.min(clock.now() - began, FALLBACK_POLL_MS, left);
      if (rest > 0) await clock.sleep(rest, options.signal).catch(() => undefined);
      const after = deadline - clock.now();
      // Leave enough time for the last look.
      const pauseMs = Math.min(FALLBACK_POLL_MS, after > LEAST_LOOK_MS ? after - LEAST_LOOK_MS : after);
      const pause = clock.sleep(Math.max(0, pauseMs), options.signal);
      // An aborted sleep rejects with another error.
      await Promise.race([woken, pause]).catch((error: unknown) => {
        if (!options.signal?.aborted) throw error;
      });
      if (options.signal?.aborted)
        throw new DeskterityError('CANCELLED', `Waiting was cancelled.${lastSeen(options)}`, {
          suggestion: 'Repeat the command if you still need it.',
        });
      if (deadline - clock.now() < LEAST_LOOK_MS) break;
    }
  } finally {
    stop();
  }
  throw new DeskterityError(
    'TIMEOUT',
    `${options.what} within ${Math.round(options.deadlineMs)} ms.${lastSeen(options)}`,
    {
      suggestion: `Raise ${mentionParameter('timeout_ms')}, or see what is there with ${mentionCommand('snapshot')} or ${mentionCommand('list-windows')}.`,
      retryable: true,
    },
  );
}

function lastSeen(options: { readonly lastSeen?: () => string }): string {
  const seen = options.lastSeen?.() ?? '';
  return seen === '' ? '' : ` Last seen: ${seen}.`;
}
