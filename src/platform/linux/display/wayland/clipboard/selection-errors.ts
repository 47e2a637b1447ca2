import { DeskterityError } from '../../../../../model/effects/errors.ts';
import { mentionParameter } from '../../../../../model/text/mention.ts';
import { MAX_CLIPBOARD_BYTES } from '../../../../../ports/clipboard.ts';
import type { PipeLimit } from '../wire/pipes.ts';

/** An owner may offer any number of forms. */
export const MOST_FORMS = 100;
/** How long a program may take to read what we give it. */
export const READ_LIMIT_MS = 60_000;
export const CLIPBOARD_LIMIT: PipeLimit = { bytes: MAX_CLIPBOARD_BYTES, tooMuch: tooLarge };

export function ownerSilent(): DeskterityError {
  return new DeskterityError('TIMEOUT', 'The owner of the clipboard does not send its content.', {
    suggestion: `Raise ${mentionParameter('timeout_ms')}, or copy again: the application may be busy.`,
    retryable: true,
  });
}

function tooLarge(): DeskterityError {
  const mebibytes = MAX_CLIPBOARD_BYTES / 1_048_576;
  return new DeskterityError('ACTION_FAILED', `The clipboard holds more than ${mebibytes} MiB.`, {
    suggestion: 'Copy less, or save it to a file in that application.',
  });
}
