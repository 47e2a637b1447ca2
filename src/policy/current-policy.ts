import { AsyncLocalStorage } from 'node:async_hooks';
import type { Policy } from '../model/policy/verdict.ts';

const calls = new AsyncLocalStorage<Policy>();
/** For what goes on between calls, such as keeping a journal. */
let latest: Policy | undefined;

/** Runs a call under its policy, with everything that it awaits. */
export function underPolicy<T>(policy: Policy, call: () => T): T {
  latest = policy;
  return calls.run(policy, call);
}

/** The policy of this call; between calls that of the last one. */
export function currentPolicy(): Policy | undefined {
  return calls.getStore() ?? latest;
}

/**
 * For what is told from outside, later and again: it would find the policy of whichever call opened the connection. The function that is returned runs
 * what it is given under the policy of now, and of the last call by then.
 */
export function keepPolicy(): (listener: () => void) => void {
  const then = currentPolicy();
  return (listener) => {
    const both = then === undefined || then === latest ? latest : bothOf(then, latest ?? then);
    if (both === undefined) listener();
    else calls.run(both, listener);
  };
}

/** Allows what both allow. */
function bothOf(one: Policy, other: Policy): Policy {
  return {
    mode: one.mode === 'sandboxed' ? one.mode : other.mode,
    lists: [...one.lists, ...other.lists],
    decide: (request) => {
      const verdict = one.decide(request);
      return verdict.decision === 'allow' ? other.decide(request) : verdict;
    },
  };
}
