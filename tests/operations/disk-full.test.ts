import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { OperationRecord } from '../../src/model/tools/operation.ts';

const run = promisify(execFile);
/** A file system of 4 MB that only this one process sees; no rights are needed for that. */
const MOUNTED = 'mount -t tmpfs -o size=4m none "$0" && exec "$@"';
const unshare = ['--map-root-user', '--mount', 'sh', '-c'];
const mayMount = spawnSync('unshare', [...unshare, 'mount -t tmpfs none "$0"', tmpdir()]).status === 0;

const Result = z.object({
  record: OperationRecord,
  read: z.object({ text: z.string(), total_bytes: z.int(), total_lines: z.int() }),
  bytes: z.int(),
});
const Report = z.object({ full: Result, overtaken: Result, refused: z.string(), after: Result });

describe.skipIf(!mayMount)('on a disk that becomes full (needs user namespaces to mount one)', () => {
  let folder = '';
  let report: z.output<typeof Report>;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ops-full-'));
    const outfile = join(folder, 'program.mjs');
    await build({
      entryPoints: ['tests/operations/support/full-disk-program.ts'],
      outfile,
      bundle: true,
      platform: 'node',
      format: 'esm',
      target: 'node20.19',
      logLevel: 'error',
    });
    const disk = await mkdtemp(join(folder, 'disk-'));
    await writeFile(join(folder, 'package.json'), '{}');
    const { stdout } = await run('unshare', [...unshare, MOUNTED, disk, process.execPath, outfile, disk], {
      timeout: 50_000,
      maxBuffer: 1e7,
    });
    report = Report.parse(JSON.parse(stdout));
  }, 60_000);
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('an operation continues, records its end, and keeps counts and as much output as fits', () => {
    const { record, read, bytes } = report.full;
    expect(record).toMatchObject({ status: 'failed', exit_code: 7 });
    const whole =
      Array.from({ length: 2_000_000 }, (_, index) => String(index + 1).length + 1).reduce(
        (a, b) => a + b,
        0,
      ) + 10;
    expect(read).toMatchObject({ total_bytes: whole, total_lines: 2_000_001 });
    expect(bytes).toBeLessThan(4 * 1024 ** 2);
    expect(read.text).toBe('last line');
    expect(bytes).toBeGreaterThan(1024 ** 2);
    expect(record.problem).toBe('Less output was kept than allowed, because the disk became full.');
  });

  it('that others have filled, an end is still recorded', () => {
    const { record, read } = report.overtaken;
    expect(record).toMatchObject({
      status: 'failed',
      exit_code: 8,
      steps: [{ status: 'failed', exit_code: 8 }],
    });
    expect(read).toMatchObject({ total_bytes: 11 });
  });

  it('nothing starts that could not be recorded', () => {
    expect(report.refused).toMatch(/No operation can be recorded/);
  });

  it('everything works once there is space again', () => {
    expect(report.after.record).toMatchObject({ status: 'succeeded', exit_code: 0 });
    expect(report.after.record.problem).toBeUndefined();
    expect(report.after.read.text).toBe('again');
  });
});
