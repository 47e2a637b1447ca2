import { expect, it } from 'vitest';
import { z } from 'zod';
import type { Engine } from '../../src/engine/engine.ts';
import { byKeys } from '../../src/model/effects/guarantees.ts';
import { DeskterityError } from '../../src/model/effects/errors.ts';
import type { ShownAct } from '../../src/model/sessions/shown-act.ts';
import { defineCommand, settledCall } from '../../src/registry/define.ts';
import { invoke } from '../../src/registry/invoke.ts';
import { createRegistry } from '../../src/registry/registry.ts';
import { fakeDesktop } from '../commands/fake-engine.ts';

const PLACE = { x: 1, y: 2, width: 3, height: 4 };

/** What is reported of an act whose engine call is `act`. */
async function reported(act: () => Promise<Record<string, unknown>>, kind: 'act' | 'read' = 'act') {
  const acts: ShownAct[] = [];
  const engine: Partial<Engine> = {
    stopState: async () => ({ stopped: false }),
    onStop: () => () => undefined,
  };
  const changes = { engine: async () => engine as Engine, onAct: (shown: ShownAct) => void acts.push(shown) };
  const { ctx } = fakeDesktop({}, changes);
  const [command] = createRegistry([
    defineCommand({
      name: 'probe',
      group: 'system',
      ...(kind === 'act' ? { kind, guarantee: byKeys('a look') } : { kind }),
      summary: 'Probe.',
      input: z.object({}),
      output: z.looseObject({}),
      examples: [],
      run: async (inner) => {
        await inner.engine();
        settledCall(inner, { timeout_ms: 100 }).onTarget?.(PLACE);
        return act();
      },
    }),
  ]).commands;
  if (command === undefined) throw new Error('no command');
  await invoke(command, ctx, {}).catch(() => undefined);
  return acts;
}

it('an act is shown where it takes place, and then with its target and effect', async () => {
  const target = { ref: '@e1', role: 'button', name: 'x'.repeat(200) };
  const [begun, done, ...more] = await reported(async () => ({ target, effect: 'confirmed' }));
  expect(begun).toMatchObject({ command: 'probe', place: PLACE });
  expect(begun?.outcome).toBeUndefined();
  expect(done).toMatchObject({ id: begun?.id, role: 'button', outcome: 'confirmed', place: PLACE });
  expect(done?.name?.length).toBeLessThanOrEqual(81);
  expect(more).toEqual([]);
});

it('an act that fails is shown with its code and, from its receipt, its target', async () => {
  const failure = new DeskterityError('ACTION_FAILED', 'Nothing happened.', {
    suggestion: 'Look.',
    result: { target: { role: 'button', name: 'OK' }, effect: 'no_op' },
  });
  const acts = await reported(() => Promise.reject(failure));
  expect(acts.at(-1)).toMatchObject({ outcome: 'ACTION_FAILED', role: 'button', name: 'OK' });
  expect((await reported(() => Promise.reject(new Error('?')))).at(-1)).toMatchObject({
    outcome: 'INTERNAL',
  });
});

it('what only reads is not shown', async () => {
  expect(await reported(async () => ({}), 'read')).toEqual([]);
});
