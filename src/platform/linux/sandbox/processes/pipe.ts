import { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import type { Kernel } from '../libc-library.ts';
import { SandboxProblem } from '../problem.ts';

/** A pipe of which this process reads one end and a program is given the other. */
export interface OutputPipe {
  /** Descriptor to give away. */
  readonly writeEnd: number;
  /** Closes our copy of the write end; without it the reading would never end. */
  given(): void;
  /** Ends with the last process that has the write end open. */
  read(): Readable;
  /** Where nothing was started. */
  discard(): void;
}

/** Close-on-exec is the same number on all architectures; Node does not name it. */
const O_CLOEXEC = 0o2000000;

/** A real pipe, no socket as Node makes them: programs can open `/dev/stdout` again. @throws SandboxProblem */
export function openPipe(kernel: Kernel): OutputPipe {
  const ends = new Int32Array(2);
  const result = kernel.call('pipe2', new Uint8Array(ends.buffer), O_CLOEXEC);
  const [readEnd, writeEnd] = ends;
  if (result !== 0 || readEnd === undefined || writeEnd === undefined) {
    throw new SandboxProblem({
      message: 'No pipe could be opened for the output of the program.',
      suggestion: 'Too many files are open; end some operations, or raise the limit with "ulimit -n".',
      detail: kernel.describe('pipe2', result),
    });
  }
  return {
    writeEnd,
    given: () => kernel.call('close', writeEnd),
    read: () => new Socket({ fd: readEnd, readable: true, writable: false }),
    discard: () => kernel.call('close', readEnd),
  };
}
