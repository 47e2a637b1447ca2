import { stat } from 'node:fs/promises';
import { mentionCommand } from '../../../../model/text/mention.ts';
import { loadKernel, PR_SET_CHILD_SUBREAPER, PR_SET_DUMPABLE, type Kernel } from '../libc-library.ts';
import { operationMarks, type OperationMarks } from '../processes/operation-mark.ts';
import { SandboxProblem } from '../problem.ts';
import { Reaper } from '../processes/reaper.ts';

/** Set up once per process, before it starts anything. */
export interface Runtime {
  readonly kernel: Kernel;
  readonly marks: OperationMarks;
  readonly reaper: Reaper;
}

/** @throws SandboxProblem */
export async function openRuntime(): Promise<Runtime> {
  // Node's file-system threads inherit the confinement of the thread that first needs them, so create them now.
  await stat('/');
  const kernel = await loadKernel();
  set(kernel, PR_SET_CHILD_SUBREAPER, 1);
  set(kernel, PR_SET_DUMPABLE, 0);
  const marks = operationMarks(kernel);
  return { kernel, marks, reaper: new Reaper(kernel, marks) };
}

function set(kernel: Kernel, option: number, value: number): void {
  const result = kernel.call('prctl', option, value, 0, 0, 0);
  if (result === 0) return;
  throw new SandboxProblem({
    message: 'This process could not be prepared for starting confined programs.',
    suggestion: `Run ${mentionCommand('doctor')} to see what this machine supports.`,
    detail: kernel.describe('prctl', result),
  });
}
