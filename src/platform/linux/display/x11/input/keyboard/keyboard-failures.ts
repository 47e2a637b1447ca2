import { mentionCommand } from '../../../../../../model/text/mention.ts';
import { DeskterityError } from '../../../../../../model/effects/errors.ts';

export function stopIfCancelled(signal: AbortSignal | undefined, isDelivered: boolean): void {
  if (signal?.aborted !== true) return;
  throw new DeskterityError('CANCELLED', 'Cancelled while typing.', {
    suggestion: 'Repeat the command if it is still wanted.',
    delivered: isDelivered,
  });
}

export function unresponsive(waitedMs: number, isDelivered: boolean): DeskterityError {
  return new DeskterityError(
    'APP_UNRESPONSIVE',
    `The application with the focus read no keys within ${waitedMs} ms.`,
    {
      suggestion: `Look at the window with ${mentionCommand('screenshot')} and repeat when it answers again.`,
      retryable: true,
      delivered: isDelivered,
    },
  );
}

/** No key bears it, and none could be had for it. */
export function noKey(name: string, isDelivered: boolean): DeskterityError {
  return new DeskterityError(
    'ACTION_NOT_SUPPORTED',
    `The keyboard of this display has no ${JSON.stringify(name)} key.`,
    {
      suggestion: 'Choose a layout that has it with setxkbmap, or press another key.',
      delivered: isDelivered,
    },
  );
}

export function noSpareKey(isDelivered: boolean): DeskterityError {
  return new DeskterityError(
    'ACTION_NOT_SUPPORTED',
    'The keyboard layout has no key for this, and no key is free to be borrowed for it.',
    {
      suggestion: `Add a layout that has it (setxkbmap us,ru), or paste it: ${mentionCommand('clipboard set')}.`,
      delivered: isDelivered,
    },
  );
}
