import { closeSync, constants, openSync, readSync, realpathSync, statSync } from 'node:fs';
import type { PathFacts } from '../../ports/policy/policy-file.ts';

/** Where a path in a rule leads. */
export function readPathFacts(path: string): PathFacts {
  try {
    const real = realpathSync(path);
    return {
      ...(real === path ? {} : { real }),
      ...(isScript(real) ? { isScript: true } : {}),
    };
  } catch {
    // Nothing is there, or nothing that this user may see.
    return {};
  }
}

/** Files of the kernel, of which some wait for their reader. */
const OF_KERNEL = /^\/(?:proc|sys|dev)\//;

function isScript(file: string): boolean {
  // Opening another kind of file could wait, or do something.
  if (OF_KERNEL.test(file) || !statSync(file).isFile()) return false;
  const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const start = Buffer.alloc(2);
    return readSync(descriptor, start) === 2 && start.toString('latin1') === '#!';
  } finally {
    closeSync(descriptor);
  }
}
