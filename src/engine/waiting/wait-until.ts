import { mentionCommand, mentionParameter } from '../../model/text/mention.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import { liveDeadline } from '../../model/live-deadline.ts';
import type { CallOptions } from '../../ports/call-options.ts';
import type { EngineParts } from '../reading/engine-parts.ts';
import { isTransient, type LookOptions } from '../reading/observe-element.ts';
import { waitFor } from '../wait.ts';
import { KnownWindows } from './known-windows.ts';

/** {@link waitFor} that treats transient errors as "not yet", and reports what the last look saw. */
export async function waitUntil<T>(
  parts: EngineParts,
  request: CallOptions,
  /** What is waited for, and that it did not come. */
  what: { readonly is: string; readonly isNot: string },
  look: (options: LookOptions, note: (seen: string, wasRead?: boolean) => void) => Promise<T | undefined>,
): Promise<T> {
  let seen = '';
  let isKnown = false;
  const { deadlineMs, signal } = request;
  const windows = new KnownWindows();
  const wait = { deadlineMs, signal, what: what.isNot, lastSeen: () => seen };
  const waiting = waitFor(parts, wait, async (remainingMs, basis) => {
    const options = liveDeadline({ deadlineMs: remainingMs, signal, ...basis, windows }, parts.clock);
    try {
      return await look(options, (now, wasRead = true) => {
        seen = now.replace(/\.$/, '');
        isKnown ||= wasRead;
      });
    } catch (error) {
      if (!isTransient(error)) throw error;
      seen = error.message.replace(/\.$/, '');
      return undefined;
    }
  });
  return waiting.catch((error: unknown) => {
    if (isKnown || !(error instanceof DeskterityError) || error.code !== 'TIMEOUT') throw error;
    throw unread(what.is, deadlineMs, seen);
  });
}

/** Nothing was read, so nothing is known to be missing. */
function unread(what: string, deadlineMs: number, seen: string): DeskterityError {
  const why = seen === '' ? '' : `: ${seen}`;
  return new DeskterityError(
    'TIMEOUT',
    `Nothing could be read within ${Math.round(deadlineMs)} ms, so it is not known whether ${what}${why}.`,
    {
      suggestion: `Raise ${mentionParameter('timeout_ms')}, or look at the screen with ${mentionCommand('screenshot')}.`,
      retryable: true,
    },
  );
}
