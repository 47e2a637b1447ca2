import { quoteClipped } from '../../../model/text/untrusted-text.ts';
import { mentionParameter } from '../../../model/text/mention.ts';
import { createContext, Script, type Context } from 'node:vm';
import { DeskterityError } from '../../../model/effects/errors.ts';
import { errorCode } from '../../../model/error-code.ts';

/** A pattern that takes more processor time than this over a whole tree is assumed to backtrack without end. */
const REGEX_BUDGET_MS = 250;
/** V8 measures time that passes, also while a busy machine gives this process none: then it is tried again for longer. */
const ATTEMPTS_MS = [REGEX_BUDGET_MS, 2 * REGEX_BUDGET_MS, 4 * REGEX_BUDGET_MS];

/**
 * Returns a function that reports for each list of texts whether one of them matches, ignoring case. Patterns come from models: endless
 * backtracking must not block the process, and only V8's own timer can stop it.
 * @throws DeskterityError INVALID_ARGUMENT; the returned function throws TIMEOUT
 */
export function compilePattern(
  pattern: string,
  run: RunLimited = runInV8,
): (lists: readonly (readonly string[])[]) => boolean[] {
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
    const flags = matchAll(lists, expression, run);
    if (typeof flags === 'string') return lists.map((_, index) => flags[index] === '1');
    throw new DeskterityError('TIMEOUT', `The pattern ${quoteClipped(pattern)} takes too long to match.`, {
      suggestion: `Avoid nested repetition such as (a+)+, or search with ${mentionParameter('by', 'contains')}.`,
      cause: flags.cause,
    });
  };
}

/** @returns for each list 1 or 0, or why it was given up */
function matchAll(
  lists: readonly (readonly string[])[],
  expression: RegExp,
  run: RunLimited,
): string | { readonly cause: unknown } {
  const context = createContext({ lists, expression });
  const before = process.cpuUsage();
  let cause: unknown;
  for (const timeout of ATTEMPTS_MS) {
    try {
      return String(run(context, timeout));
    } catch (error) {
      cause = error;
      const { user, system } = process.cpuUsage(before);
      if (errorCode(error) !== TIMED_OUT || (user + system) / 1000 >= REGEX_BUDGET_MS) break;
    }
  }
  return { cause };
}

/** Runs the script that matches. @throws an error with the code ERR_SCRIPT_EXECUTION_TIMEOUT when the time is over */
type RunLimited = (context: Context, timeoutMs: number) => unknown;

const runInV8: RunLimited = (context, timeoutMs) => MATCH_ALL.runInContext(context, { timeout: timeoutMs });

const TIMED_OUT = 'ERR_SCRIPT_EXECUTION_TIMEOUT';
const MATCH_ALL = new Script(
  `lists.map((texts) => (texts.some((text) => expression.test(text)) ? '1' : '0')).join('')`,
);
