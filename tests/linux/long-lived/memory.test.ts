import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';

const Phase = z.object({ phase: z.string(), heap: z.array(z.number()).length(6) });
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** Compiled code, caches of fixed size and the collector's own mood; the leaks this was written for were ten times as large. */
const NOISE_BYTES = 400_000;

let phases: z.output<typeof Phase>[];

beforeAll(async () => {
  const program = fileURLToPath(new URL('./many-calls.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--expose-gc', 'scripts/run-ts.mjs', program],
    { cwd: ROOT, timeout: 60_000 },
  );
  phases = stdout
    .trim()
    .split('\n')
    .map((line) => Phase.parse(JSON.parse(line)));
}, 70_000);

describe('a process that has answered many calls', () => {
  it.each(['snapshots', 'watches', 'launches'])('holds no more memory after further %s', (name) => {
    const heap = phases.find(({ phase }) => phase === name)?.heap ?? [];
    // The first two rounds fill what is filled once.
    const [, , settled = Number.NaN, ...later] = heap;
    expect(Math.min(...later) - settled).toBeLessThan(NOISE_BYTES);
  });
});
