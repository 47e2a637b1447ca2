import { mentionCommand, mentionParameter } from '../model/text/mention.ts';
import { DeskterityError } from '../model/effects/errors.ts';
import type { ClockPort } from '../ports/clock.ts';
import type { CallOptions } from '../ports/call-options.ts';
import type { DesktopPort } from '../ports/desktop/desktop.ts';
import type { DesktopEvent } from '../ports/desktop/events.ts';
import { leavesWindows } from './waiting/known-windows.ts';

/** How often to look if no event arrives: some toolkits do not send all of them. */
const FALLBACK_POLL_MS = 250;
/** A busy application sends events all the time; what it does not report must be found there, too. */
const MIRRORED_AT_MOST_MS = 2 * FALLBACK_POLL_MS;
/** So much time for looks is saved up while nothing happens: the events of one change are looked at without a rest. */
const MOST_SAVED_MS = 50;
/** With less time than this, a look may see only part of the application, which proves nothing. */
const LEAST_LOOK_MS = 100;
/** Subscribing may use up a short deadline; the first look still gets this long. */
const FIRST_LOOK_MS = 250;

/** What a look may rest on. */
export interface Basis {
  /** After an event: what is known of trees, which the event has brought up to date. Not every toolkit reports every change, so other looks ask anew. */
  readonly mirrored: boolean;
  /** The windows that the last look saw: no event since then concerns them. */
  readonly sameWindows: boolean;
}

type Look<T> = (remainingMs: number, basis: Basis) => Promise<T | undefined>;

/**
 * Runs `look` until it returns something: at once, after each event of the desktop, and periodically. Subscribes before the first look so that
 * no change between the two is missed.
 */
export async function waitFor<T>(
  parts: { readonly desktop: DesktopPort; readonly clock: ClockPort },
  options: CallOptions & { readonly what: string; readonly lastSeen?: () => string },
  look: Look<T>,
): Promise<T> {
  const { desktop, clock } = parts;
  const deadline = clock.now() + options.deadlineMs;
  let wake: (() => void) | undefined;
  let isTold = false;
  let sameWindows = true;
  let readAnewAt = Number.NEGATIVE_INFINITY;
  let savedMs = 0;
  const onEvent = (event: DesktopEvent): void => {
    isTold = true;
    sameWindows &&= leavesWindows(event);
    wake?.();
  };
  const stop = await desktop.watch(onEvent, options).catch(() => () => undefined);
  let leastMs = FIRST_LOOK_MS;
  try {
    for (;;) {
      const woken = new Promise<void>((resolve) => {
        wake = resolve;
      });
      const began = clock.now();
      const isLast = deadline - began <= FALLBACK_POLL_MS;
      const mirrored = isTold && !isLast && began - readAnewAt < MIRRORED_AT_MOST_MS;
      if (!mirrored) readAnewAt = began;
      const basis = { mirrored, sameWindows: mirrored && sameWindows };
      isTold = false;
      sameWindows = true;
      const lookMs = Math.max(leastMs, deadline - clock.now());
      leastMs = 1;
      const found = await look(lookMs, basis).catch((error: unknown) => {
        // The last look may have had too little time; that is no failure of the desktop.
        if (error instanceof DeskterityError && error.retryable && clock.now() >= deadline) return undefined;
        throw error;
      });
      if (found !== undefined) return found;
      const left = deadline - clock.now();
      if (left <= 0) break;
      // Reading a large window at every event would leave a busy application no time for its own work: looks take half of the time.
      savedMs -= clock.now() - began;
      const rest = Math.min(-savedMs, FALLBACK_POLL_MS, left);
      if (rest > 0) {
        savedMs = 0;
        await clock.sleep(rest, options.signal).catch(() => undefined);
      }
      const pausedAt = clock.now();
      const after = deadline - pausedAt;
      // Leave enough time for the last look.
      const pauseMs = Math.min(FALLBACK_POLL_MS, after > LEAST_LOOK_MS ? after - LEAST_LOOK_MS : after);
      const pause = clock.sleep(Math.max(0, pauseMs), options.signal);
      // An aborted sleep rejects with another error.
      await Promise.race([woken, pause]).catch((error: unknown) => {
        if (!options.signal?.aborted) throw error;
      });
      savedMs = Math.min(MOST_SAVED_MS, savedMs + clock.now() - pausedAt);
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
