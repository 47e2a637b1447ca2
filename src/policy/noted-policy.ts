import type { DecidedApplication, DecidedInCall } from '../model/policy/decided.ts';
import type { Policy } from '../model/policy/verdict.ts';

/** Applications of one call that are remembered: those that were judged last, such as the one that is acted on. */
const MOST_NOTED = 500;

/** A policy that remembers what it said about applications, for the record of a call. */
export function notedPolicy(policy: Policy): { readonly policy: Policy; readonly decided: DecidedInCall } {
  const byProcess = new Map<number, DecidedApplication>();
  const decide: Policy['decide'] = (request) => {
    const verdict = policy.decide(request);
    const { application: facts } = request;
    if (facts === undefined) return verdict;
    const { pid } = facts;
    if (pid === undefined) return verdict;
    byProcess.delete(pid);
    byProcess.set(pid, { facts, verdict });
    const [oldest] = byProcess.keys();
    if (byProcess.size > MOST_NOTED && oldest !== undefined) byProcess.delete(oldest);
    return verdict;
  };
  return {
    policy: { ...policy, decide },
    decided: {
      ofProcess: (pid) => byProcess.get(pid),
    },
  };
}
