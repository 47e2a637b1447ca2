import { spellMentions, spellMentionsIn, type Speller } from '../text/mention.ts';
import { DeskterityError } from './errors.ts';

type Result = Record<string, unknown>;

/** The error as a surface shows it: mentions spelled, and the result in the surface's own form. */
export function changedError(
  error: DeskterityError,
  speller: Speller,
  changeResult: (result: Result) => Result = (result) => spellMentionsIn(result, speller),
): DeskterityError {
  const { code, platformDetail, candidates, retryable, delivered, result } = error;
  const changed = new DeskterityError(code, spellMentions(error.message, speller), {
    suggestion: spellMentions(error.suggestion, speller),
    ...(platformDetail === undefined ? {} : { platformDetail }),
    candidates: spellMentionsIn(candidates, speller),
    retryable,
    ...(delivered === undefined ? {} : { delivered }),
    ...(result === undefined ? {} : { result: changeResult(result) }),
    cause: error.cause,
  });
  if (error.stack !== undefined) changed.stack = error.stack;
  return changed;
}
