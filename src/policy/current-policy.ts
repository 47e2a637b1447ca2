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
