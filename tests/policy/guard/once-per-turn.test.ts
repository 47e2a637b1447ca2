import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { oncePerTurn } from '../../../src/policy/guard/once-per-turn.ts';

it('Each process is asked about once in a turn, and anew in the next: it may run another program', async () => {
  const asked: string[] = [];
  const programs = oncePerTurn({
    ofProcess: async (pid, isFull) => {
      asked.push(`${pid} ${isFull}`);
      return { executable: `/run/${asked.length}`, otherNames: [] };
    },
    ofCommand: async () => ({ otherNames: [] }),
    ofApplication: async () => ({ otherNames: [] }),
    lineageOf: async () => [],
    keyOf: async () => '1',
  });
  await programs.ofProcess(7, false);
  await Promise.all([programs.ofProcess(7, true), programs.ofProcess(8, false)]);
  expect(await programs.ofProcess(7, false)).toEqual({ executable: '/run/2', otherNames: [] });
  expect(asked).toEqual(['7 false', '7 true', '8 false']);
  await setImmediate();
  expect(await programs.ofProcess(7, false)).toEqual({ executable: '/run/4', otherNames: [] });
});
