import { readFileSync } from 'node:fs';
import { heldCapabilities } from '../capabilities.ts';
import { confineThread, type ConfinementPlan } from '../landlock/confine-thread.ts';
import { probeConfinement, type Canary } from './functional-probe.ts';
import { landlockAbi } from '../landlock/landlock.ts';
import { loadKernel, PR_SET_DUMPABLE } from '../libc-library.ts';
import { problemOf, type Problem } from '../problem.ts';

export interface LevelOrder {
  readonly plan: ConfinementPlan;
  readonly canary: Canary;
}

/** The result of confining a separate process. */
export interface LevelReport {
  /** The kernel's answer: a version, or a negative error. */
  readonly landlockAbi?: number | undefined;
  /** Name of the error in `landlockAbi`, such as `EOPNOTSUPP`. */
  readonly landlockError?: string | undefined;
  /** The process was already confined. */
  readonly isConfinedAlready: boolean;
  /** The capabilities left when confined. */
  readonly capabilities?: readonly string[] | undefined;
  /** Why confining failed; absent if it succeeded. */
  readonly problem?: Problem | undefined;
}

/** Permanently confines the calling process and reports the result; for a process with no other purpose. */
export async function probeLevel(order: LevelOrder): Promise<LevelReport> {
  const isConfinedAlready = /^(?:Seccomp:\t[12]|NoNewPrivs:\t1)$/m.test(readStatus());
  let abi: number | undefined;
  let landlockError: string | undefined;
  try {
    const kernel = await loadKernel();
    abi = landlockAbi(kernel);
    if (abi < 0) landlockError = kernel.errorName(-abi);
    kernel.call('prctl', PR_SET_DUMPABLE, 0, 0, 0, 0);
    confineThread(kernel, order.plan);
    probeConfinement(kernel, { plan: order.plan, canary: order.canary });
    return { landlockAbi: abi, isConfinedAlready, capabilities: heldCapabilities(readStatus()) };
  } catch (error) {
    return { landlockAbi: abi, landlockError, isConfinedAlready, problem: problemOf(error) };
  }
}

function readStatus(): string {
  return readFileSync('/proc/self/status', 'utf8');
}
