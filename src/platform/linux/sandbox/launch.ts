import type { Readable } from 'node:stream';
import type { StartRequest } from '../../../ports/process.ts';
import { begin, mayStillStart, startFailure } from './begin.ts';
import type { Begun } from './begin.ts';
import { openPipe } from './processes/pipe.ts';
import type { OutputPipe } from './processes/pipe.ts';
import type { Runtime } from './bubblewrap/runtime.ts';
import type { SpawnWorker } from './workers/spawner.ts';

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
