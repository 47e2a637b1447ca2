import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';

const Phase = z.object({ phase: z.string(), heap: z.array(z.number()).length(12) });
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/**
 * What four rounds may add: compiled code and caches of fixed size. When calls prepared for an application outlived it, twelve launches
 * added about 250,000 bytes.
 */
const NOISE_BYTES = 150_000;

/** What 24 more connections of acts may take, which are kept on purpose. With the buffers of connections for reading they took 6.5 MB. */
const KEPT_OF_ACTS_BYTES = 1_000_000;

let phases: z.output<typeof Phase>[];

beforeAll(async () => {
  const program = fileURLToPath(new URL('./many-calls.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--expose-gc', 'scripts/run-ts.mjs', program],
    { cwd: ROOT, timeout: 110_000 },
  );
  phases = stdout
    .trim()
    .split('\n')
    .map((line) => Phase.parse(JSON.parse(line)));
}, 70_000);

describe('a process that has answered many calls', () => {
  it.each([
    ['snapshots', NOISE_BYTES],
    ['acts', KEPT_OF_ACTS_BYTES],
    ['watches', NOISE_BYTES],
    ['launches', NOISE_BYTES],
  ])('uses no more memory after further %s', (name, bytes) => {
    const heap = phases.find(({ phase }) => phase === name)?.heap ?? [];
    // The first rounds fill what is filled once.
    const [settled, later] = [heap.slice(4, 8), heap.slice(8)].map((rounds) => Math.min(...rounds));
    expect((later ?? Number.NaN) - (settled ?? Number.NaN)).toBeLessThan(bytes);
  });
});
