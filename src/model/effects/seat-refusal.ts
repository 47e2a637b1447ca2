import { mentionParameter } from '../text/mention.ts';
import { DeskterityError } from './errors.ts';

const refusals = new WeakSet<object>();

/** The error for an act that is not done with a keyboard and a pointer of our own; nothing was sent. @param why a sentence */
export function seatRefusal(why: string): DeskterityError {
  const error = new DeskterityError('ACTION_NOT_SUPPORTED', why, {
    suggestion: `Use the user's: ${mentionParameter('seat', 'shared')}. Accessibility needs none: ${mentionParameter('mode', 'background')}.`,
    delivered: false,
  });
  refusals.add(error);
  return error;
}

/** Whether an error is a {@link seatRefusal}, or was made of one. */
export function isSeatRefusal(error: unknown): boolean {
  let at = error;
  while (at instanceof Error) {
    if (refusals.has(at)) return true;
    at = at.cause;
  }
  return false;
}
