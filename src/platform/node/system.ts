import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The bundle that starts the command line; other bundles are in the same folder or one below. */
const PROGRAM = 'desk.cjs';

/** Facts about Node and this program, for `version` and `status`. */
export function systemFacts(): {
  readonly nodeVersion: string;
  readonly platform: string;
  readonly architecture: string;
  readonly program: { readonly node: string; readonly script: string } | undefined;
} {
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
