import { statSync } from 'node:fs';
import { DeskterityError } from '../../../model/effects/errors.ts';
import type { ProcessExit, StartRequest } from '../../../ports/process.ts';
import { OPERATION_VARIABLE } from './processes/operation-processes.ts';
import type { SpawnDetails } from './processes/posix-spawn.ts';
import type { Runtime } from './bubblewrap/runtime.ts';
import { NotStarted, TOO_LATE } from './workers/spawner.ts';
import type { SpawnWorker } from './workers/spawner.ts';

export type BeginRequest = Pick<StartRequest, 'command' | 'cwd' | 'environment' | 'operationId'>;

/** A program that has started. */
export interface Begun {
  readonly pid: number;
  readonly startTime: string;
  readonly exited: Promise<ProcessExit>;
}

/** Starts a program through a worker, marked with its operation. @throws NotStarted, SandboxProblem */
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

/** Whether the thread may still start the program, so that the descriptors and names it was given must not be reused. */
export function mayStillStart(error: unknown): boolean {
  return error instanceof NotStarted && error.code === TOO_LATE;
}

/** The error for the caller if a program could not be started. */
export function startFailure(request: Pick<BeginRequest, 'command' | 'cwd'>, error: unknown): unknown {
  return error instanceof NotStarted ? notStarted(request, error) : error;
}

function notStarted(request: Pick<BeginRequest, 'command' | 'cwd'>, error: NotStarted): DeskterityError {
  const [program] = request.command;
  const details = { platformDetail: error.code, cause: error };
  // Checked first: accessing its folder may block just as long.
  if (error.code === TOO_LATE) {
    return new DeskterityError('ACTION_FAILED', `The program ${program} was not started in time.`, {
      suggestion: 'Check whether its file system responds and whether the machine is overloaded.',
      ...details,
    });
  }
  if (statSync(request.cwd, { throwIfNoEntry: false })?.isDirectory() !== true) {
    return new DeskterityError(
      'ACTION_FAILED',
      `The working directory ${request.cwd} for ${program} does not exist.`,
      {
        suggestion: 'Pass an existing folder as the working directory.',
        ...details,
      },
    );
  }
  if (error.code === 'ENOENT') {
    return new DeskterityError('ACTION_FAILED', `The program ${program} was not found.`, {
      suggestion: 'Install it, or pass its full path.',
      ...details,
    });
  }
  return new DeskterityError('ACTION_FAILED', `The program ${program} could not be started.`, {
    suggestion:
      'Check that it is executable; a program outside the scope and the system folders must be listed under "sandbox": {"read": […]} in the tool file.',
    ...details,
  });
}
