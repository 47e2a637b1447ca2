import { DeskterityError } from '../../../model/effects/errors.ts';
import { TIMERS, within } from '../../../model/within.ts';
import type { McpConnection } from './connection.ts';

/** Waits for something to open, with a limit. @throws DeskterityError TIMEOUT; errors of opening */
export async function openedIn<T>(opening: Promise<T>, timeoutMs: number): Promise<T> {
  const opened = await within(TIMERS, opening, timeoutMs);
  if (opened === undefined) throw tooLate();
  return opened.value;
}

/** Waits for something that may fail or not finish. */
export async function atMost(timeoutMs: number, ending: Promise<unknown>): Promise<void> {
  await within(TIMERS, ending, timeoutMs).catch(() => undefined);
}

/** Opens a connection; one that opens too late is closed. */
export async function openInTime(
  open: () => Promise<McpConnection>,
  timeoutMs: number,
): Promise<McpConnection> {
  const opening = open();
  try {
    return await openedIn(opening, timeoutMs);
  } catch (error) {
    opening.then(
      (connection) => connection.close(),
      () => undefined,
    );
    throw error;
  }
}

function tooLate(): DeskterityError {
  return new DeskterityError('TIMEOUT', 'The session did not open in time.', {
    suggestion:
      'Try again. If that fails too, the status of the desktop (desktop_status) shows what does not respond.',
    retryable: true,
  });
}
