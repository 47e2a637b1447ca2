import { byPerson, mentionCommand, mentionParameter } from '../../../../model/text/mention.ts';
import { DeskterityError } from '../../../../model/effects/errors.ts';
import type { CallOptions } from '../../../../ports/call-options.ts';
import { waitAtMost } from '../waiting.ts';
import type { RawError } from './x11-library.ts';

const NAMES: Readonly<Record<number, string>> = {
  1: 'BadRequest',
  2: 'BadValue',
  3: 'BadWindow',
  4: 'BadPixmap',
  5: 'BadAtom',
  8: 'BadMatch',
  9: 'BadDrawable',
  10: 'BadAccess',
  11: 'BadAlloc',
  14: 'BadIDChoice',
  16: 'BadLength',
  17: 'BadImplementation',
};

/** The server refused one request. Internal to this folder: callers see a missing window or a DeskterityError. */
export class XProtocolError extends Error {
  override readonly name = 'XProtocolError';

  constructor(raw: RawError) {
    const number = raw.error ?? 0;
    super(NAMES[number] ?? raw.message ?? `X error ${number}`);
  }
}

/** The display cannot be reached, or can no longer be reached. */
export function displayUnavailable(display: string, reason: string, retryable = false): DeskterityError {
  return new DeskterityError(
    'DISPLAY_UNAVAILABLE',
    `The X display "${display}" is not available: ${reason}.`,
    {
      suggestion: `${byPerson('Set DISPLAY to a running display')}, or start a private desktop: ${mentionCommand('session new', { name: 'NAME', private: true })}.`,
      platformDetail: reason,
      retryable,
    },
  );
}

/** The X window does not exist, or no longer exists. */
export function windowNotFound(id: number): DeskterityError {
  return new DeskterityError('WINDOW_NOT_FOUND', `There is no X window 0x${id.toString(16)}.`, {
    suggestion: `Run ${mentionCommand('list-windows')} to see the windows that are open now.`,
  });
}

/** An unexpected error, such as a refused request, as a DeskterityError. */
export function asDeskterityError(error: unknown, doing: string): DeskterityError {
  if (error instanceof DeskterityError) return error;
  const detail = error instanceof Error ? error.message : String(error);
  return new DeskterityError('INTERNAL', `The X server refused while ${doing}.`, {
    suggestion: 'Repeat the command; if it fails again, report it with the platform detail.',
    platformDetail: detail,
    retryable: true,
    cause: error,
  });
}

/** The error when a deadline passes: a server that accepts no connection is unavailable, a slow one timed out. */
function noReply(display: string, doing: string, deadlineMs: number): DeskterityError {
  const waited = Math.max(1, Math.round(deadlineMs));
  if (doing === CONNECTING) return displayUnavailable(display, `no reply within ${waited} ms`, true);
  return new DeskterityError('TIMEOUT', `The X display did not reply within ${waited} ms while ${doing}.`, {
    suggestion: `Raise ${mentionParameter('timeout_ms')}, or check whether the desktop is frozen.`,
    retryable: true,
  });
}

/** The activity during which a connection is made. */
export const CONNECTING = 'connecting';

/** Stops waiting for `work` at the deadline or when the caller cancels; requests already sent may still take effect. */
export function withDeadline<T>(
  work: Promise<T>,
  display: string,
  doing: string,
  options: CallOptions,
): Promise<T> {
  const late = (deadlineMs: number): DeskterityError => noReply(display, doing, deadlineMs);
  return waitAtMost(work, options, { doing, late, asError: asDeskterityError });
}
