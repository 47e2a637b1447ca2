import { mentionCommand, mentionParameter } from '../../../../model/text/mention.ts';
import { DeskterityError } from '../../../../model/effects/errors.ts';
import type { CallOptions } from '../../../../ports/desktop.ts';
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

/** The server refused one request. Internal to this room: callers see it as a missing window or as a DeskterityError. */
export class XProtocolError extends Error {
  override readonly name = 'XProtocolError';
  readonly number: number;

  constructor(raw: RawError) {
    const number = raw.error ?? 0;
    super(NAMES[number] ?? raw.message ?? `X error ${number}`);
    this.number = number;
  }

  /** The window or pixmap does not exist, or no longer. */
  get isGone(): boolean {
    return this.number === 3 || this.number === 4 || this.number === 9;
  }
}

/** The display cannot be reached, or not any more. */
export function displayUnavailable(display: string, reason: string, retryable = false): DeskterityError {
  return new DeskterityError(
    'DISPLAY_UNAVAILABLE',
    `The X display "${display}" is not available: ${reason}.`,
    {
      suggestion: 'Start one with: npm run desktop -- COMMAND, or set DISPLAY.',
      platformDetail: reason,
      retryable,
    },
  );
}

/** The X window is gone or never was. */
export function windowNotFound(id: number): DeskterityError {
  return new DeskterityError('WINDOW_NOT_FOUND', `There is no X window 0x${id.toString(16)}.`, {
    suggestion: `Run ${mentionCommand('list-windows')} to see the windows that are open now.`,
  });
}

/** Turns a request the server refused for no reason a caller could know into a DeskterityError; passes those through. */
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

/** A server that does not let us in is not there for us; one that is slow to answer is out of time. */
function noAnswer(display: string, doing: string, deadlineMs: number): DeskterityError {
  const waited = Math.max(1, Math.round(deadlineMs));
  if (doing === CONNECTING) return displayUnavailable(display, `no answer within ${waited} ms`, true);
  return new DeskterityError('TIMEOUT', `The X display gave no answer within ${waited} ms while ${doing}.`, {
    suggestion: `Raise ${mentionParameter('timeout_ms')}, or look whether the desktop is frozen.`,
    retryable: true,
  });
}

/** What is being done while a connection is made. */
export const CONNECTING = 'connecting';

/** Ends `work` at the deadline or when the caller cancels; what it asked of the server may still happen, unobserved. */
export async function withDeadline<T>(
  work: Promise<T>,
  display: string,
  doing: string,
  options: CallOptions,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  let onAbort: (() => void) | undefined;
  const { signal, deadlineMs } = options;
  const limit = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(noAnswer(display, doing, deadlineMs));
    }, deadlineMs);
    onAbort = () => {
      reject(
        new DeskterityError('CANCELLED', `Cancelled while ${doing}.`, {
          suggestion: 'Repeat the command if it is still wanted.',
        }),
      );
    };
    if (signal?.aborted === true) onAbort();
    else signal?.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([work, limit]);
  } catch (error) {
    throw asDeskterityError(error, doing);
  } finally {
    clearTimeout(timer);
    if (onAbort !== undefined) signal?.removeEventListener('abort', onAbort);
  }
}
