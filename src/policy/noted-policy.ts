import type { DecidedApplication, DecidedInCall } from '../model/policy/decided.ts';
import type { Policy, PolicyRequest } from '../model/policy/verdict.ts';

/** Applications of one call that are remembered: those that were judged last, such as the one that is acted on. */
const MOST_NOTED = 500;

/**
 * A policy that remembers what it said about applications, for the record of a call.
 * @param onReached told of each request that is not denied
 */
export function notedPolicy(
  policy: Policy,
  onReached: (request: PolicyRequest) => void = () => undefined,
): { readonly policy: Policy; readonly decided: DecidedInCall } {
  const byProcess = new Map<number, DecidedApplication>();
  const decide: Policy['decide'] = (request) => {
    const verdict = policy.decide(request);
    if (verdict.decision !== 'deny') onReached(request);
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
