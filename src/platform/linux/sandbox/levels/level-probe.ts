import { readFileSync } from 'node:fs';
import { heldCapabilities } from '../capabilities.ts';
import { confineThread } from '../landlock/confine-thread.ts';
import type { ConfinementPlan } from '../landlock/confine-thread.ts';
import { probeConfinement } from './functional-probe.ts';
import type { Canary } from './functional-probe.ts';
import { landlockAbi } from '../landlock/landlock.ts';
import { loadKernel } from '../libc-library.ts';
import { problemOf } from '../problem.ts';
import type { Problem } from '../problem.ts';
import { PR_SET_DUMPABLE } from '../bubblewrap/runtime-options.ts';

export interface LevelOrder {
  readonly plan: ConfinementPlan;
  readonly canary: Canary;
}

/** What a process of its own found when it confined itself. */
export interface LevelReport {
  /** As the kernel answers: a version, or a negative error. */
  readonly landlockAbi?: number | undefined;
  /** Name of the error that stands for `landlockAbi`, such as `EOPNOTSUPP`. */
  readonly landlockError?: string | undefined;
  /** Somebody had confined this process before. */
  readonly isConfinedAlready: boolean;
  /** What it still may once it is confined. */
  readonly capabilities?: readonly string[] | undefined;
  /** Why confining has failed; absent where it holds. */
  readonly problem?: Problem | undefined;
}

/** Confines the calling process for good and says how that went: for a process that is there for nothing else. */
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
