import { execFile, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { copyProgram } from '../program-copy.ts';
import { TerminalRecord } from '../../src/model/terminals/terminal-record.ts';

const run = promisify(execFile);
/** A file system of 4 MB that only this process sees; it needs no privileges. */
const MOUNTED = 'mount -t tmpfs -o size=4m none "$0" && exec "$@"';
const unshare = ['--map-root-user', '--mount', 'sh', '-c'];
const mayMount = spawnSync('unshare', [...unshare, 'mount -t tmpfs none "$0"', tmpdir()]).status === 0;

const Ran = z.object({
  kind: z.string(),
  exitCode: z.int().optional(),
  text: z.string(),
  leftOut: z.array(z.string()),
});
const Report = z.object({ full: Ran, text: z.string(), after: Ran, record: TerminalRecord });

describe.skipIf(!mayMount)('on a disk that is full (needs user namespaces to mount one)', () => {
  let folder = '';
  let report: z.output<typeof Report>;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'term-full-'));
    await Promise.all([
      copyProgram(folder, (name) => name === 'spawn-worker.js'),
      build({
        entryPoints: ['tests/terminal/support/full-disk-terminal.ts'],
        outdir: folder,
        bundle: true,
        platform: 'node',
        format: 'esm',
        target: 'node20.19',
        external: ['koffi'],
        logLevel: 'error',
      }),
    ]);
    await symlink(resolve('node_modules'), join(folder, 'node_modules'));
    await writeFile(join(folder, 'package.json'), '{"type":"module"}');
    const [disk, shells] = [join(folder, 'disk'), join(folder, 'shells')];
    await Promise.all([mkdir(disk), mkdir(shells)]);
    const program = join(folder, 'full-disk-terminal.js');
    const { stdout } = await run(
      'unshare',
      [...unshare, MOUNTED, disk, process.execPath, program, disk, shells, join(folder, 'spawn-worker.js')],
      { timeout: 50_000 },
    );
    report = Report.parse(JSON.parse(stdout));
  }, 60_000);
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('commands continue, and missing output is reported', () => {
    expect(report.full).toMatchObject({ kind: 'completed', exitCode: 0, text: '99998\n99999\n100000' });
    expect(report.full.leftOut).toEqual([
      expect.stringMatching(/^\d+ bytes of output could not be kept: the disk is full\.$/),
    ]);
    expect(report.text).toBe('99999\n100000\n$');
  });

  it('later output is kept once there is space, and the end is recorded with the problem', () => {
    expect(report.after).toMatchObject({ kind: 'completed', text: 'after' });
    expect(report.record.ended_at).toBeDefined();
    expect(report.record.problem).toContain('could not be kept');
  });
});
