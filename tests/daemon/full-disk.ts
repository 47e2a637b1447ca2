import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { z } from 'zod';
import { makeLabFolder } from './terminal-lab.ts';

const run = promisify(execFile);
/** A file system of 4 MB for the state folder that only this process and its children see; it needs no privileges. */
const MOUNTED = 'mount -t tmpfs -o size=4m none "$0" && exec "$@"';
/** Arguments of `unshare` for a shell that may mount. */
export const UNSHARED = ['--map-root-user', '--mount', 'sh', '-c'];

const Ran = z.object({ kind: z.string(), exitCode: z.int(), output: z.string() });
const Report = z.object({ flood: Ran, keptBytes: z.int(), full: Ran, screen: z.string(), after: Ran });

/** What commands of a terminal did while its disk became full, was full, and had room again; see `full-disk-program.ts`. */
export async function onFullDisk(timeoutMs: number): Promise<z.output<typeof Report>> {
  const folder = await makeLabFolder();
  try {
    const outfile = join(folder, 'programs', 'program.mjs');
    await build({
      entryPoints: ['tests/daemon/full-disk-program.ts'],
      outfile,
      bundle: true,
      platform: 'node',
      format: 'esm',
      target: 'node20.19',
      logLevel: 'error',
    });
    const inside = [MOUNTED, join(folder, 'state'), process.execPath, outfile, folder];
    const { stdout } = await run('unshare', [...UNSHARED, ...inside], { timeout: timeoutMs, maxBuffer: 1e7 });
    return Report.parse(JSON.parse(stdout));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
