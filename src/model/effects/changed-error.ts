import { spellMentions, spellMentionsIn, type Speller } from '../text/mention.ts';
import type { DeskterityError } from './errors.ts';

type Result = Record<string, unknown>;

/** The error as a surface shows it: mentions spelled, and the result in the surface's own form. */
export function changedError(
  error: DeskterityError,
  speller: Speller,
  changeResult: (result: Result) => Result = (result) => spellMentionsIn(result, speller),
): DeskterityError {
  const changed = error.with({
    message: spellMentions(error.message, speller),
    suggestion: spellMentions(error.suggestion, speller),
    candidates: spellMentionsIn(error.candidates, speller),
    result: error.result && changeResult(error.result),
    report: error.report === undefined ? undefined : spellMentions(error.report, speller),
    cause: error.cause,
  });
  if (error.stack !== undefined) changed.stack = error.stack;
  return changed;
}
