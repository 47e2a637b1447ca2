import { byPerson, mentionCommand } from '../model/text/mention.ts';
import { DeskterityError } from '../model/effects/errors.ts';
import type { Verdict } from '../model/policy/verdict.ts';

/** How the rules of security modes are named. */
const MODE_RULE = 'mode ';

/** `POLICY_DENIED` for what a rule denies; nothing was sent. */
export function policyDenied(what: string, verdict: Verdict): DeskterityError {
  const { rule, why } = verdict;
  const isMode = rule.startsWith(MODE_RULE);
  const error = new DeskterityError('POLICY_DENIED', `The policy denies ${what} (${rule}). ${why}`, {
    suggestion: isMode
      ? `Use what only reads. ${byPerson('Change the mode')} if it should be allowed: policy.toml, the variable DESKTERITY_SECURITY_MODE and the option read-only of an MCP server can each set it.`
      : `Do without it. ${byPerson('Change policy.toml')} if it should be allowed; ${mentionCommand('policy show')} shows all rules.`,
    retryable: false,
    delivered: false,
  });
  verdicts.set(error, verdict);
  return error;
}

const verdicts = new WeakMap<Error, Verdict>();
/** Errors are told anew on their way, with the earlier one as their cause. */
const MOST_CAUSES = 10;

/** The verdict behind an error; `undefined` if no rule denied it. */
export function verdictBehind(error: unknown): Verdict | undefined {
  let cause = error;
  for (let depth = 0; cause instanceof Error && depth < MOST_CAUSES; depth += 1) {
    const verdict = verdicts.get(cause);
    if (verdict !== undefined) return verdict;
    ({ cause } = cause);
  }
  return undefined;
}
