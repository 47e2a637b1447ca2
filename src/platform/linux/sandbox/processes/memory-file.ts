import { writeSync } from 'node:fs';
import type { Kernel } from '../libc-library.ts';
import { SandboxProblem } from '../problem.ts';

const MFD_CLOEXEC = 1;

/** A memory file with `content`, whose descriptor reads from the start. @throws SandboxProblem */
export function memoryFile(kernel: Kernel, name: string, content: Uint8Array): number {
  const descriptor = kernel.call('memfd_create', Buffer.from(`${name}\0`), MFD_CLOEXEC);
  if (descriptor < 0) {
    throw new SandboxProblem({
      message: 'A memory file for the sandbox could not be created.',
      suggestion: 'Too many files are open; cancel some operations.',
      detail: kernel.describe('memfd_create', descriptor),
    });
  }
  // With an explicit position, which leaves the file offset at 0.
  writeSync(descriptor, content, 0, content.length, 0);
  return descriptor;
}
