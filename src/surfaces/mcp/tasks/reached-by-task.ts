import { AsyncLocalStorage } from 'node:async_hooks';
import type { ReachedInCall } from '../../../model/policy/reached.ts';
import type { PolicyRequest } from '../../../model/policy/verdict.ts';

const collecting = new AsyncLocalStorage<ReachedInCall>();

/** Runs what may become a task; everything that it reaches is collected. */
export function reachingFor<R>(reached: ReachedInCall, run: () => R): R {
  return collecting.run(reached, run);
}

/** Where the calls of the present task report what they reach. */
export function reachedByTask(): ((request: PolicyRequest) => void) | undefined {
  const reached = collecting.getStore();
  return reached && ((request) => reached.add(request));
}
