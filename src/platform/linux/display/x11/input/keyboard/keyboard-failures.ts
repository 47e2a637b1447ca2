import { mentionCommand } from '../../../../../../model/text/mention.ts';
import { DeskterityError } from '../../../../../../model/effects/errors.ts';
import { cancelled, unsupported } from '../../../../failures.ts';

export function stopIfCancelled(signal: AbortSignal | undefined, isDelivered: boolean): void {
  if (signal?.aborted === true) throw cancelled('Cancelled while typing.', { delivered: isDelivered });
}

export function unresponsive(waitedMs: number, isDelivered: boolean): DeskterityError {
  return new DeskterityError(
    'APP_UNRESPONSIVE',
    `The focused application read no keys within ${waitedMs} ms.`,
    {
      suggestion: `Look at the window with ${mentionCommand('screenshot')} and repeat when it responds again.`,
      retryable: true,
      delivered: isDelivered,
    },
  );
}

/** No key has it, and none could be borrowed for it. */
export function noKey(name: string, isDelivered: boolean): DeskterityError {
  return unsupported(
    `The keyboard of this display has no ${JSON.stringify(name)} key.`,
    'Choose a layout that has it with setxkbmap, or press a different key.',
  ).with({ delivered: isDelivered });
}

export function noSpareKey(isDelivered: boolean): DeskterityError {
  return unsupported(
    'The keyboard layout has no key for this, and no key can be borrowed for it.',
    `Add a layout that has it (setxkbmap us,ru), or paste it: ${mentionCommand('clipboard set')}.`,
  ).with({ delivered: isDelivered });
}
