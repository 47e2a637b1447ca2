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

/** An attempt to reach a denied application. */
export interface DeniedApplication {
  readonly name: string | undefined;
  readonly executable: string | undefined;
  readonly rule: string;
}

const attempts = new WeakMap<Error, DeniedApplication>();
/** Errors are changed on their way, and keep the one that they come from. */
const MOST_CAUSES = 16;

/** `POLICY_DENIED` for an application; the attempt counts more than others, and is recorded as an alert. */
export function applicationDenied(
  what: string,
  verdict: Verdict,
  { name, executable }: Partial<Pick<DeniedApplication, 'name' | 'executable'>>,
): DeskterityError {
  const error = policyDenied(what, verdict);
  attempts.set(error, { name, executable, rule: verdict.rule });
  return error;
}

/** The denied application that a call failed because of. */
export function deniedApplication(error: unknown): DeniedApplication | undefined {
  let at = error;
  for (let depth = 0; depth < MOST_CAUSES && at instanceof Error; depth += 1) {
    const found = attempts.get(at);
    if (found !== undefined) return found;
    at = at.cause;
  }
  return undefined;
}
