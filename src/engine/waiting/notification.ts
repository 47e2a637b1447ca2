import { mentionParameter } from '../../model/text/mention.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import { quoteClipped } from '../../model/text/untrusted-text.ts';
import type { DesktopNotification } from '../../ports/notifications.ts';
import type { EngineParts } from '../reading/engine-parts.ts';
import type { WaitForNotificationRequest } from '../requests/desktop.ts';

const MOST_TOLD = 3;

/**
 * Waits until an application sends a notification with a text in it, ignoring case. Only those that are sent from now on are heard.
 * @throws DeskterityError TIMEOUT with the others that were sent, and errors of listening
 */
export async function waitForNotification(
  { desktop, clock }: EngineParts,
  { text, deadlineMs, signal }: WaitForNotificationRequest,
): Promise<DesktopNotification> {
  /** The last ones, in words: how many come is up to other programs. */
  const others: string[] = [];
  let otherCount = 0;
  const wanted = text?.toLowerCase();
  const ending = new AbortController();
  const until = signal === undefined ? ending.signal : AbortSignal.any([signal, ending.signal]);
  let found: DesktopNotification | undefined;
  let isLost = false;
  const began = clock.now();
  const stop = await desktop.watchNotifications(
    {
      notified: (notification) => {
        if (wanted === undefined || textOf(notification).includes(wanted)) {
          found ??= notification;
          ending.abort();
        } else {
          otherCount++;
          others.push(inWords(notification));
          if (others.length > MOST_TOLD) others.shift();
        }
      },
      lost: () => {
        isLost = true;
        ending.abort();
      },
    },
    { deadlineMs, signal },
  );
  try {
    const left = deadlineMs - (clock.now() - began);
    // It ends early by what is heard.
    if (found === undefined && !isLost) await clock.sleep(Math.max(0, left), until).catch(() => undefined);
  } finally {
    stop();
  }
  if (found !== undefined) return found;
  if (isLost)
    throw new DeskterityError('BUS_UNAVAILABLE', 'The desktop ended while it was listened to.', {
      suggestion: 'Start the desktop again, then repeat the command.',
      retryable: true,
    });
  const seen =
    otherCount === 0
      ? 'none was sent'
      : `${otherCount} other${otherCount === 1 ? '' : 's'} sent, the last: ${others.join('; ')}`;
  if (signal?.aborted === true)
    throw new DeskterityError('CANCELLED', `Waiting was cancelled. Last seen: ${seen}.`, {
      suggestion: 'Repeat the command if you still need it.',
    });
  const what = text === undefined ? 'No notification' : `No notification with ${quoteClipped(text)}`;
  throw new DeskterityError(
    'TIMEOUT',
    `${what} came within ${Math.round(deadlineMs)} ms. Last seen: ${seen}.`,
    {
      suggestion: `Only notifications that are sent during the wait are heard: begin it before what causes them, and raise ${mentionParameter('timeout_ms')}.`,
      retryable: true,
    },
  );
}

function textOf({ app, summary, body }: DesktopNotification): string {
  return `${summary}\n${body}\n${app}`.toLowerCase();
}

function inWords({ app, summary }: DesktopNotification): string {
  return `${quoteClipped(summary, 60)} from ${quoteClipped(app, 40)}`;
}
