import { expect, it } from 'vitest';
import { z } from 'zod';
import { byKeys } from '../../src/model/effects/guarantees.ts';
import { defineCommand } from '../../src/registry/define.ts';
import { invoke } from '../../src/registry/invoke.ts';
import { createRegistry } from '../../src/registry/registry.ts';
import { fakeEngine, fakeDesktop } from '../commands/fake-engine.ts';

const SAID = expect.stringContaining('does not report your own keyboard and mouse');

function acting(reportsUserInput: () => Promise<boolean>) {
  const engine = fakeEngine({ reportsUserInput });
  const { ctx } = fakeDesktop({}, { engine: async () => engine });
  return async (via: string): Promise<unknown> => {
    const [command] = createRegistry([
      defineCommand({
        name: 'probe',
        group: 'system',
        kind: 'act',
        guarantee: byKeys('a look'),
        summary: 'Probe.',
        input: z.object({}),
        output: z.looseObject({}),
        examples: [],
        run: async (inner) => {
          await inner.engine();
          return { via, evidence: ['seen'] };
        },
      }),
    ]).commands;
    if (command === undefined) throw new Error('no command');
    return (await invoke(command, ctx, {}))['evidence'];
  };
}

it('only the first act with input says that the user’s own input is not detected', async () => {
  const act = acting(async () => false);
  expect(await act('at-spi:Action.DoAction')).toEqual(['seen']);
  expect(await act('accessibility: not offered; then pointer:left button at 1,2')).toEqual(['seen', SAID]);
  expect(await act('keyboard:3 characters')).toEqual(['seen']);
});

it('nothing is said if it is detected, or if that is unknown', async () => {
  expect(await acting(async () => true)('keyboard:Enter')).toEqual(['seen']);
  const silent = acting(() => Promise.reject(new Error('no display')));
  expect(await silent('keyboard:Enter')).toEqual(['seen']);
});
