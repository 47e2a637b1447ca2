import type { DecidedApplication, DecidedInCall } from '../model/policy/decided.ts';
import type { ApplicationFacts, Policy, Verdict } from '../model/policy/verdict.ts';

/** Applications of one call that are remembered; the first ones are kept. */
const MOST_NOTED = 500;

/** A policy that remembers what it said about applications, for the record of a call. */
export function notedPolicy(policy: Policy): { readonly policy: Policy; readonly decided: DecidedInCall } {
  const byProcess = new Map<number, DecidedApplication>();
  const byVerdict = new WeakMap<Verdict, ApplicationFacts>();
  const decide: Policy['decide'] = (request) => {
    const verdict = policy.decide(request);
    const { application: facts } = request;
    if (facts === undefined) return verdict;
    if (verdict.decision !== 'allow') byVerdict.set(verdict, facts);
    const { pid } = facts;
    if (pid !== undefined && (byProcess.has(pid) || byProcess.size < MOST_NOTED))
      byProcess.set(pid, { facts, verdict });
    return verdict;
  };
  return {
    policy: { ...policy, decide },
    decided: {
      ofProcess: (pid) => byProcess.get(pid),
      ofVerdict: (verdict) => byVerdict.get(verdict),
    },
  };
}
