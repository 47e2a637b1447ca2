import { mentionCommand } from '../../../../model/text/mention.ts';
import { callFilter, type CallPolicy } from '../seccomp/call-policy.ts';
import { dropCapabilities } from '../capabilities.ts';
import { createRuleset, enterRuleset, landlockAbi, LEAST_LANDLOCK_ABI } from './landlock.ts';
import type { LandlockRules } from './landlock.ts';
import type { Kernel } from '../libc-library.ts';
import { SandboxProblem } from '../problem.ts';

/** All restrictions of a thread, as plain data. */
export interface ConfinementPlan extends LandlockRules {
  readonly denyReport: boolean;
}

const PR_SET_NO_NEW_PRIVS = 38;
const SET_MODE_FILTER = 1;
const NEW_LISTENER = 1 << 3;
/** Signals do not interrupt a call under inspection; Go programs send them constantly. */
const WAIT_KILLABLE = 1 << 5;

/**
 * Permanently confines the calling thread and everything it starts. Other threads are not affected.
 * @returns the descriptor of the listener for denied accesses, if the plan includes a report
 * @throws SandboxProblem; the thread may then be partly confined and must not be used
 */
export function confineThread(kernel: Kernel, plan: ConfinementPlan): number | undefined {
  const abi = landlockAbi(kernel);
  if (abi < LEAST_LANDLOCK_ABI) throw tooOld(kernel, abi);
  const ruleset = createRuleset(kernel, abi, plan);
  const result = kernel.call('prctl', PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  if (result !== 0) throw failed(kernel.describe('prctl', result));
  dropCapabilities(kernel);
  enterRuleset(kernel, ruleset);
  return installFilter(kernel, {
    network: plan.network,
    unixSockets: plan.unixSockets,
    notify: plan.denyReport,
    launcher: { process: process.pid, thread: kernel.call('gettid') },
  });
}

function installFilter(kernel: Kernel, policy: CallPolicy): number | undefined {
  const filter = callFilter(kernel.architecture, policy);
  const program = new DataView(new ArrayBuffer(16));
  program.setUint16(0, filter.length / 8, true);
  program.setBigUint64(8, kernel.address(filter), true);
  const flags = policy.notify ? NEW_LISTENER | WAIT_KILLABLE : 0;
  const result = kernel.call('seccomp', SET_MODE_FILTER, flags, program);
  if (result < 0) throw failed(kernel.describe('seccomp', result));
  return policy.notify ? result : undefined;
}

function tooOld(kernel: Kernel, abi: number): SandboxProblem {
  return new SandboxProblem({
    message: 'This kernel cannot prevent confined programs from sending signals to others.',
    suggestion: 'Use Linux 6.12 or newer with Landlock enabled.',
    detail: abi < 0 ? kernel.describe('landlock_create_ruleset', abi) : `Landlock ABI ${abi}`,
  });
}

function failed(detail: string): SandboxProblem {
  return new SandboxProblem({
    message: 'The kernel refused the system call filter of the sandbox.',
    suggestion: `Run ${mentionCommand('doctor')} to see what this machine supports.`,
    detail,
  });
}
