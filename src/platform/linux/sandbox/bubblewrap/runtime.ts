import { mentionCommand } from '../../../../model/text/mention.ts';
import { stat } from 'node:fs/promises';
import { loadKernel } from '../libc-library.ts';
import type { Kernel } from '../libc-library.ts';
import { operationMarks } from '../processes/operation-mark.ts';
import type { OperationMarks } from '../processes/operation-mark.ts';
import { SandboxProblem } from '../problem.ts';
import { Reaper } from '../processes/reaper.ts';
import { PR_SET_CHILD_SUBREAPER, PR_SET_DUMPABLE } from './runtime-options.ts';

/** What this process needs once, before it starts anything. */
export interface Runtime {
  readonly kernel: Kernel;
  readonly marks: OperationMarks;
  readonly reaper: Reaper;
}

/** @throws SandboxProblem */
export async function openRuntime(): Promise<Runtime> {
  // The threads that do file work for all of Node are made by whoever asks first, and are held to what that thread is held to.
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
    message: 'This process could not be made ready to keep confined programs.',
    suggestion: `Run ${mentionCommand('doctor')} to see what this machine can do.`,
    detail: kernel.describe('prctl', result),
  });
}
