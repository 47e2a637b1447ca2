import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import { loadKernel } from '../../../../src/platform/linux/sandbox/libc-library.ts';
import { descriptorMoves } from '../../../../src/platform/linux/sandbox/processes/descriptor-moves.ts';
import { posixSpawn } from '../../../../src/platform/linux/sandbox/processes/posix-spawn.ts';

it('whatever numbers descriptors have, each becomes the one that is meant for it, and nothing else is left open', () => {
  const descriptors = fc.array(fc.integer({ min: 0, max: 12 }), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(descriptors, (given) => {
      const before = [0, ...given];
      const table = new Map(before.map((number) => [number, `file ${number}`]));
      for (const move of descriptorMoves(given)) {
        if ('close' in move) table.delete(move.close);
        else table.set(move.to, table.get(move.from) ?? 'a closed one');
      }
      expect(given.map((_, index) => table.get(index + 1))).toEqual(given.map((number) => `file ${number}`));
      for (const number of table.keys()) expect(number <= given.length || before.includes(number)).toBe(true);
    }),
  );
});

it('what is already in the right place is not moved, and only what would be lost is put aside', () => {
  expect(descriptorMoves([20, 21, 22])).toEqual([
    { from: 20, to: 1 },
    { from: 21, to: 2 },
    { from: 22, to: 3 },
  ]);
  expect(descriptorMoves([20, 1])).toEqual([
    { from: 1, to: 21 },
    { from: 20, to: 1 },
    { from: 21, to: 2 },
    { close: 21 },
  ]);
});

it('a program gets each of many files under its number, although the numbers overlap', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'descriptors-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const names = Array.from({ length: 40 }, (_, index) => join(folder, `file-${index}`));
  for (const name of names) writeFileSync(name, '');
  const opened = names.map((name) => openSync(name, 'r'));
  onTestFinished(() => {
    for (const descriptor of opened) closeSync(descriptor);
  });
  // The later ones have the numbers that the earlier ones are to get.
  const [output, errors] = [openSync(join(folder, 'out'), 'w'), openSync(join(folder, 'errors'), 'w')];
  onTestFinished(() => {
    for (const descriptor of [output, errors]) closeSync(descriptor);
  });
  const given = opened.toReversed();
  const script = `for n in $(seq 3 ${given.length + 2}); do readlink /proc/self/fd/$n; done; echo done`;
  const pid = posixSpawn(await loadKernel())({
    command: ['/bin/sh', '-c', script],
    cwd: '/',
    environment: { PATH: '/usr/bin:/bin' },
    descriptors: [output, errors, ...given],
  });
  expect(pid).toBeGreaterThan(0);
  const lines = () => readFileSync(join(folder, 'out'), 'utf8').trim().split('\n');
  await expect.poll(() => lines().at(-1)).toBe('done');
  expect(lines().slice(0, -1)).toEqual(names.toReversed());
});
