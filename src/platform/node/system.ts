import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The file that the command line begins in; bundles that are not it lie beside it or one folder below. */
const PROGRAM = 'desk.cjs';

/** What this program runs on, for `version` and `status`, and how it is started. */
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
