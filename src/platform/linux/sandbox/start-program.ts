import { byPerson } from '../../../model/text/mention.ts';
import type { Readable } from 'node:stream';
import { Socket } from 'node:net';
import { statSync } from 'node:fs';
import type { StartRequest, ProcessExit } from '../../../ports/process.ts';
import type { Runtime } from './bubblewrap/runtime.ts';
import { O_CLOEXEC, type Kernel } from './libc-library.ts';
import { SandboxProblem } from './problem.ts';
import { DeskterityError } from '../../../model/effects/errors.ts';
import { OPERATION_VARIABLE } from './processes/operation-processes.ts';
import type { SpawnDetails } from './processes/posix-spawn.ts';
import { NotStarted, TOO_LATE, type SpawnWorker } from './workers/spawner.ts';

/** A program that has started, with its output. */
export interface Launched extends Begun {
  readonly streams: readonly { readonly name: 'merged' | 'stdout' | 'stderr'; readonly readable: Readable }[];
}

/**
 * Starts a program through a worker, with pipes for its output and marked with its operation.
 * @param extra descriptors to pass from 3 on
 * @throws SandboxProblem, DeskterityError ACTION_FAILED if it cannot be started
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
    const descriptors = [output.writeEnd, errors.writeEnd, ...extra];
    const begun = await begin(runtime, worker, request, { descriptors });
    return {
      ...begun,
      streams: names.map((name, index) => ({ name, readable: (index === 0 ? output : errors).read() })),
    };
  } catch (error) {
    for (const pipe of pipes) pipe.discard();
    isTooLate = mayStillStart(error);
    throw startFailure(request, error);
  } finally {
    // While the thread may still start the program, its descriptor numbers must not be reused.
    if (!isTooLate) for (const pipe of pipes) pipe.closeWriteEnd();
  }
}

/** A pipe from a program to this process. */
interface OutputPipe {
  /** Descriptor for the program. */
  readonly writeEnd: number;
  /** Closes our copy of the write end, so that reading can end. */
  closeWriteEnd(): void;
  /** Ends when the last process closes the write end. */
  read(): Readable;
  /** Closes the read end if nothing was started. */
  discard(): void;
}

/** A real pipe instead of Node's socket pair, so that programs can open `/dev/stdout`. @throws SandboxProblem */
function openPipe(kernel: Kernel): OutputPipe {
  const ends = new Int32Array(2);
  const result = kernel.call('pipe2', ends, O_CLOEXEC);
  const [readEnd, writeEnd] = ends;
  if (result !== 0 || readEnd === undefined || writeEnd === undefined) {
    throw new SandboxProblem({
      message: 'A pipe for the output of the program could not be opened.',
      suggestion: 'Too many files are open; cancel some operations, or raise the limit with "ulimit -n".',
      detail: kernel.describe('pipe2', result),
    });
  }
  return {
    writeEnd,
    closeWriteEnd: () => kernel.call('close', writeEnd),
    read: () => new Socket({ fd: readEnd, readable: true, writable: false }),
    discard: () => kernel.call('close', readEnd),
  };
}

type BeginRequest = Pick<StartRequest, 'command' | 'cwd' | 'environment' | 'operationId'>;

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
  if (!(error instanceof NotStarted)) return error;
  const [message, suggestion] = explain(request, error.code);
  return new DeskterityError('ACTION_FAILED', message, {
    suggestion,
    platformDetail: error.code,
    cause: error,
  });
}

function explain(
  { command: [program], cwd }: Pick<BeginRequest, 'command' | 'cwd'>,
  code: string,
): readonly [message: string, suggestion: string] {
  // Checked first: accessing its folder may block just as long.
  if (code === TOO_LATE)
    return [
      `The program ${program} was not started in time.`,
      'Check whether its file system responds and whether the machine is overloaded.',
    ];
  if (statSync(cwd, { throwIfNoEntry: false })?.isDirectory() !== true)
    return [
      `The working directory ${cwd} for ${program} does not exist.`,
      'Pass an existing folder as the working directory.',
    ];
  if (code === 'ENOENT')
    return [`The program ${program} was not found.`, `${byPerson('Install it')}, or pass its full path.`];
  return [
    `The program ${program} could not be started.`,
    'Check that it is executable; a program outside the scope and the system folders must be listed under "sandbox": {"read": […]} in the tool file.',
  ];
}
