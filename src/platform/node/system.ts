import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { MachineFacts } from '../../ports/platform.ts';

/** The bundle that starts the command line; other bundles are in the same folder or one below. */
const PROGRAM = 'desk.cjs';

/** Facts about Node and this program, for `version` and `status`. */
export function systemFacts(): MachineFacts {
  const script = ['.', '..']
    .map((folder) => join(import.meta.dirname, folder, PROGRAM))
    .find((file) => existsSync(file));
  return {
    nodeVersion: process.versions.node,
    platform: process.platform,
    architecture: process.arch,
    program: script === undefined ? undefined : { node: process.execPath, script },
  };
}
