import { DeskterityError } from '../../model/effects/errors.ts';
import { mentionCommand } from '../../model/text/mention.ts';
import { quoteClipped } from '../../model/text/untrusted-text.ts';

/** The state that an act left is not there any more: undoing it would overwrite what somebody did since. */
export function changedSince(now: string, left?: string): DeskterityError {
  const not = left === undefined ? '' : `, not ${left} as the act left it`;
  return new DeskterityError('CONFLICT', `It was changed since: ${now}${not}. Nothing was sent.`, {
    suggestion: `Look with ${mentionCommand('snapshot')}, and set what you want yourself, or bring back what the act left and undo again.`,
    delivered: false,
  });
}

export function notAsBefore(what: string, is: string, before: string): DeskterityError {
  return new DeskterityError(
    'ACTION_FAILED',
    `A fresh read of ${what} shows ${quoteClipped(is)}, not ${quoteClipped(before)} as before the act.`,
    { suggestion: `Look with ${mentionCommand('snapshot')}, and set it yourself.`, delivered: true },
  );
}
