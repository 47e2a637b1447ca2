import { execFile, spawnSync } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { makeLabFolder } from './terminal-lab.ts';

const run = promisify(execFile);
/** A file system of 4 MB for the state folder that only this process and its children see; it needs no privileges. */
const MOUNTED = 'mount -t tmpfs -o size=4m none "$0" && exec "$@"';
const unshare = ['--map-root-user', '--mount', 'sh', '-c'];
const mayMount = spawnSync('unshare', [...unshare, 'mount -t tmpfs none "$0"', tmpdir()]).status === 0;

const Ran = z.object({ kind: z.string(), exitCode: z.int(), output: z.string() });
const Report = z.object({ flood: Ran, keptBytes: z.int(), full: Ran, screen: z.string(), after: Ran });

it.skipIf(!mayMount)(
  'on a disk that gets full, commands run on with their ends, and what they showed last (needs user namespaces to mount one)',
  async () => {
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
      const { stdout } = await run(
        'unshare',
        [...unshare, MOUNTED, join(folder, 'state'), process.execPath, outfile, folder],
        { timeout: 50_000, maxBuffer: 1e7 },
      );
      const { flood, keptBytes, full, screen, after } = Report.parse(JSON.parse(stdout));
      expect(flood).toEqual({ kind: 'completed', exitCode: 7, output: 'last line' });
      expect(keptBytes).toBeLessThan(4 * 1024 * 1024);
      expect(full).toEqual({ kind: 'completed', exitCode: 0, output: 'on a full disk' });
      expect(screen).toContain('on a full disk');
      expect(after).toEqual({ kind: 'completed', exitCode: 0, output: 'again' });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
);
