import { statSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { DeskterityError } from '../../../model/errors.ts';
import type { ProcessExit, StartRequest } from '../../../ports/process.ts';
import { OPERATION_VARIABLE } from './operation-processes.ts';
import { openPipe } from './pipe.ts';
import type { OutputPipe } from './pipe.ts';
import type { Runtime } from './runtime.ts';
import { NotStarted, TOO_LATE } from './spawner.ts';
import type { SpawnWorker } from './spawner.ts';

/** What runs now, and where its output comes from. */
export interface Launched {
  readonly pid: number;
  readonly startTime: string;
  readonly streams: readonly { readonly name: 'merged' | 'stdout' | 'stderr'; readonly readable: Readable }[];
  readonly exited: Promise<ProcessExit>;
}

/**
 * Has a worker start a program with real pipes for its output and the mark of its operation.
 * @param extra descriptors that it has from 3 on
 * @throws SandboxProblem, DeskterityError ACTION_FAILED when it cannot be started
 */
export async function launch(
  runtime: Runtime,
  worker: SpawnWorker,
  request: StartRequest,
  extra: readonly number[] = [],
): Promise<Launched> {
  const names = request.output === 'merged' ? (['merged'] as const) : (['stdout', 'stderr'] as const);
  const pipes: OutputPipe[] = [];
  let isTooLate = false;
  try {
    for (const _ of names) pipes.push(openPipe(runtime.kernel));
    const [output] = pipes;
    const errors = pipes.at(-1);
    if (output === undefined || errors === undefined) throw new Error('There is no pipe for the output.');
    const { child, exited } = await runtime.marks.during(request.operationId, () =>
      runtime.reaper.watch(() =>
        worker.start({
          command: request.command,
          cwd: request.cwd,
          environment: { ...request.environment, [OPERATION_VARIABLE]: request.operationId },
          descriptors: [output.writeEnd, errors.writeEnd, ...extra],
        }),
      ),
    );
    return {
      ...child,
      streams: names.map((name, index) => ({ name, readable: (index === 0 ? output : errors).read() })),
      exited,
    };
  } catch (error) {
    for (const pipe of pipes) pipe.discard();
    isTooLate = error instanceof NotStarted && error.code === TOO_LATE;
    throw error instanceof NotStarted ? notStarted(request, error) : error;
  } finally {
    // The thread would give what it starts after all somebody else's file by that number.
    if (!isTooLate) for (const pipe of pipes) pipe.given();
  }
}

function notStarted(request: StartRequest, error: NotStarted): DeskterityError {
  const [program] = request.command;
  const details = { platformDetail: error.code, cause: error };
  // First: looking at its folder may take as long.
  if (error.code === TOO_LATE) {
    return new DeskterityError('ACTION_FAILED', `The program ${program} was not started in time.`, {
      suggestion: 'Look whether the file system it is on answers, and what the machine is busy with.',
      ...details,
    });
  }
  if (statSync(request.cwd, { throwIfNoEntry: false })?.isDirectory() !== true) {
    return new DeskterityError(
      'ACTION_FAILED',
      `The folder ${request.cwd} to run ${program} in does not exist.`,
      {
        suggestion: 'Name a folder that exists as working directory.',
        ...details,
      },
    );
  }
  if (error.code === 'ENOENT') {
    return new DeskterityError('ACTION_FAILED', `The program ${program} was not found.`, {
      suggestion: 'Install it, or give its full path.',
      ...details,
    });
  }
  return new DeskterityError('ACTION_FAILED', `The program ${program} could not be started.`, {
    suggestion:
      'Check that it may be executed; one outside of the scope and the system folders has to be named under "sandbox": {"read": […]} in the tool file.',
    ...details,
  });
}
