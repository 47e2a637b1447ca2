import { setTimeout as sleep } from 'node:timers/promises';
import { DeskterityError } from '../../../../../model/effects/errors.ts';
import { mentionCommand } from '../../../../../model/text/mention.ts';
import type { CallOptions } from '../../../../../ports/call-options.ts';
import type { InputDevices } from './devices.ts';

/** Less than four characters; something is sent all the time. */
const MOST_UNREAD_BYTES = 200;
const LOOK_EVERY_MS = 2;
/** Before the deadline, so that the reason is told. */
const SPARE_MS = 50;

/**
 * Waits until the application with the keyboard focus, `pid`, has read what was sent to it. More could end it:
 * - A compositor disconnects an application whose socket is full.
 * - GTK 4 answers each key with up to 4,000 bytes of the text around the caret (`zwp_text_input_v3`). It sends them only after it has processed all keys
 *   that it has read, and exits with "Error 11 (Resource temporarily unavailable)" if they do not fit.
 *
 * @throws DeskterityError APP_UNRESPONSIVE if it does not read
 */
export async function untilRead(
  devices: Pick<InputDevices, 'unreadBytes'>,
  pid: number | undefined,
  options: CallOptions,
  signal: AbortSignal,
): Promise<void> {
  if (pid === undefined) return;
  while ((devices.unreadBytes(pid) ?? 0) > MOST_UNREAD_BYTES) {
    if (options.deadlineMs < SPARE_MS) throw doesNotRead(pid);
    await sleep(LOOK_EVERY_MS, undefined, { signal });
  }
}

function doesNotRead(pid: number): DeskterityError {
  return new DeskterityError(
    'APP_UNRESPONSIVE',
    `Process ${pid} has not read the keys that were sent to it. A compositor disconnects a program that leaves too many unread.`,
    {
      suggestion: `Wait until it is idle, look at it with ${mentionCommand('screenshot')}, and type the rest.`,
      retryable: true,
      delivered: false,
    },
  );
}
