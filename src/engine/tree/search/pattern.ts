import { quoteClipped } from '../../../model/text/untrusted-text.ts';
import { mentionParameter } from '../../../model/text/mention.ts';
import { runInNewContext } from 'node:vm';
import { DeskterityError } from '../../../model/effects/errors.ts';

/** A pattern that takes longer than this over a whole tree is assumed to backtrack without end. */
const REGEX_BUDGET_MS = 250;

/**
 * Returns a function that reports for each list of texts whether one of them matches, ignoring case. Patterns come from models: endless
 * backtracking must not block the process, and only V8's own timer can stop it.
 * @throws DeskterityError INVALID_ARGUMENT; the returned function throws TIMEOUT
 */
export function compilePattern(pattern: string): (lists: readonly (readonly string[])[]) => boolean[] {
  let expression: RegExp;
  try {
    expression = new RegExp(pattern, 'iu');
  } catch (error) {
    throw new DeskterityError(
      'INVALID_ARGUMENT',
      `${quoteClipped(pattern)} is not a valid regular expression.`,
      {
        suggestion: `Escape special characters with a backslash, or search with ${mentionParameter('by', 'contains')}.`,
        platformDetail: error instanceof Error ? error.message : String(error),
        cause: error,
      },
    );
  }
  return (lists) => {
    try {
      const found: unknown = runInNewContext(MATCH_ALL, { lists, expression }, { timeout: REGEX_BUDGET_MS });
      const flags = String(found);
      return lists.map((_, index) => flags[index] === '1');
    } catch (error) {
      throw new DeskterityError('TIMEOUT', `The pattern ${quoteClipped(pattern)} takes too long to match.`, {
        suggestion: `Avoid nested repetition such as (a+)+, or search with ${mentionParameter('by', 'contains')}.`,
        cause: error,
      });
    }
  };
}

const MATCH_ALL = `lists.map((texts) => (texts.some((text) => expression.test(text)) ? '1' : '0')).join('')`;
