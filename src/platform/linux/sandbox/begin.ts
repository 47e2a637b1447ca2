import { statSync } from 'node:fs';
import { DeskterityError } from '../../../model/effects/errors.ts';
import type { ProcessExit, StartRequest } from '../../../ports/process.ts';
import { OPERATION_VARIABLE } from './processes/operation-processes.ts';
import type { SpawnDetails } from './processes/posix-spawn.ts';
import type { Runtime } from './bubblewrap/runtime.ts';
import { NotStarted, TOO_LATE } from './workers/spawner.ts';
import type { SpawnWorker } from './workers/spawner.ts';

export type BeginRequest = Pick<StartRequest, 'command' | 'cwd' | 'environment' | 'operationId'>;

/** What runs now. */
export interface Begun {
  readonly pid: number;
  readonly startTime: string;
  readonly exited: Promise<ProcessExit>;
}

/** Has a worker start a program with the mark of its operation. @throws NotStarted, SandboxProblem */
export async function begin(
  runtime: Runtime,
  worker: SpawnWorker,
  { command, cwd, environment, operationId }: BeginRequest,
  given: Pick<SpawnDetails, 'descriptors' | 'terminal'>,
): Promise<Begun> {
  const order = {
    command,
    cwd,
    environment: { ...environment, [OPERATION_VARIABLE]: operationId },
    ...given,
  };
  const { child, exited } = await runtime.marks.during(operationId, () =>
    runtime.reaper.watch(() => worker.start(order)),
  );
  return { ...child, exited };
}

/** The thread may still start it, and would give it what others have opened by then under the numbers and names that it was told. */
export function mayStillStart(error: unknown): boolean {
  return error instanceof NotStarted && error.code === TOO_LATE;
}

/** What a caller is told where a program could not be started. */
export function startFailure(request: Pick<BeginRequest, 'command' | 'cwd'>, error: unknown): unknown {
  return error instanceof NotStarted ? notStarted(request, error) : error;
}

function notStarted(request: Pick<BeginRequest, 'command' | 'cwd'>, error: NotStarted): DeskterityError {
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
