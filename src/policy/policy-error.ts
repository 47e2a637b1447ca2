import { byPerson, mentionCommand } from '../model/text/mention.ts';
import { DeskterityError } from '../model/effects/errors.ts';
import type { Verdict } from '../model/policy/verdict.ts';

/** `POLICY_DENIED` for what a rule denies; nothing was sent. */
export function policyDenied(what: string, { rule, why }: Verdict): DeskterityError {
  return new DeskterityError('POLICY_DENIED', `The policy denies ${what} (${rule}). ${why}`, {
    suggestion: `Do without it. ${byPerson('Change policy.toml')} if it should be allowed; ${mentionCommand('policy show')} shows all rules.`,
    retryable: false,
    delivered: false,
  });
}
