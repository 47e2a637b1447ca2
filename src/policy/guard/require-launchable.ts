import type { Policy } from '../../model/policy/verdict.ts';
import { quoteClipped } from '../../model/text/untrusted-text.ts';
import type { ProgramFactsPort } from '../../ports/policy/program-facts.ts';
import { policyDenied } from '../policy-error.ts';
import { isRefused } from './is-refused.ts';

interface LaunchJudge {
  readonly programs: Pick<ProgramFactsPort, 'ofCommand'>;
  readonly policyNow: () => Policy | undefined;
}

/**
 * Judges a program that is not running yet as an application. Whatever starts one for a call asks this first, not only the command `launch`.
 * @param name what it is called for people
 * @throws DeskterityError POLICY_DENIED, CONFIRMATION_REQUIRED
 */
export async function requireLaunchable(
  { programs, policyNow }: LaunchJudge,
  name: string,
  command: readonly string[],
): Promise<void> {
  const policy = policyNow();
  if (policy === undefined) return;
  const facts = { name, ...(await programs.ofCommand(command)) };
  const verdict = policy.decide({ application: facts });
  const shown = quoteClipped(name);
  if (isRefused(verdict, { shown, facts }, 'act'))
    throw policyDenied(`the application ${shown}`, verdict, facts);
}
