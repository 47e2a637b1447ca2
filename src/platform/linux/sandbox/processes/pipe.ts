import { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import type { Kernel } from '../libc-library.ts';
import { SandboxProblem } from '../problem.ts';

/** A pipe from a program to this process. */
export interface OutputPipe {
  /** Descriptor for the program. */
  readonly writeEnd: number;
  /** Closes our copy of the write end, so that reading can end. */
  closeWriteEnd(): void;
  /** Ends when the last process closes the write end. */
  read(): Readable;
  /** Closes the read end if nothing was started. */
  discard(): void;
}

/** The same on all architectures; Node has no constant for it. */
const O_CLOEXEC = 0o2000000;

/** A real pipe instead of Node's socket pair, so that programs can open `/dev/stdout`. @throws SandboxProblem */
export function openPipe(kernel: Kernel): OutputPipe {
  const ends = new Int32Array(2);
  const result = kernel.call('pipe2', new Uint8Array(ends.buffer), O_CLOEXEC);
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
