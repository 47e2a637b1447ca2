import type { DecidedApplication, DecidedInCall } from '../model/policy/decided.ts';
import type { Policy } from '../model/policy/verdict.ts';

/** Applications of one call that are remembered; the first ones are kept. */
const MOST_NOTED = 500;

/** A policy that remembers what it said about applications, for the record of a call. */
export function notedPolicy(policy: Policy): { readonly policy: Policy; readonly decided: DecidedInCall } {
  const byProcess = new Map<number, DecidedApplication>();
  const decide: Policy['decide'] = (request) => {
    const verdict = policy.decide(request);
    const { application: facts } = request;
    if (facts === undefined) return verdict;
    const { pid } = facts;
    if (pid !== undefined && (byProcess.has(pid) || byProcess.size < MOST_NOTED))
      byProcess.set(pid, { facts, verdict });
    return verdict;
  };
  return {
    policy: { ...policy, decide },
    decided: {
      ofProcess: (pid) => byProcess.get(pid),
    },
  };
}
