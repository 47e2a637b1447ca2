import { writeSync } from 'node:fs';
import type { Kernel } from '../libc-library.ts';
import { SandboxProblem } from '../problem.ts';

const MFD_CLOEXEC = 1;

/** A file in memory that holds `content`, to be read from its start by whoever is given the descriptor. @throws SandboxProblem */
export function memoryFile(kernel: Kernel, name: string, content: Uint8Array): number {
  const descriptor = kernel.call('memfd_create', Buffer.from(`${name}\0`), MFD_CLOEXEC);
  if (descriptor < 0) {
    throw new SandboxProblem({
      message: 'No file in memory could be made for the sandbox.',
      suggestion: 'Too many files are open; end some operations.',
      detail: kernel.describe('memfd_create', descriptor),
    });
  }
  // At a place of its own, so that the offset stays at the start.
  writeSync(descriptor, content, 0, content.length, 0);
  return descriptor;
}
