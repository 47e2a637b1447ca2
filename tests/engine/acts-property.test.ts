import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { createEngine } from '../../src/engine/create-engine.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { DeskterityError } from '../../src/model/effects/errors.ts';
import { parseKeyCombination } from '../../src/model/text/key-combination.ts';
import { printLocator } from '../../src/model/refs/locator.ts';
import type { OutputNode } from '../../src/model/tree/node.ts';
import { MemoryStore } from './support/memory-store.ts';
import { flatten, snapshot } from './support/stage.ts';
import { DISTURBANCES, UnsteadyWorld } from './support/unsteady-world.ts';

const RUNS = 150;
const DEADLINE = { deadlineMs: 3000 };
/** About how many calls to the desktop an act makes. */
const CALLS = 30;

const disturbance = fc.record({
  kind: fc.constantFrom(...DISTURBANCES),
  at: fc.nat(40),
  other: fc.nat(40),
});
const mode = fc.constantFrom(undefined, 'background', 'focus', 'pointer');

type Ask = (engine: Engine, ref: string) => Promise<unknown>;

const ask: fc.Arbitrary<{ readonly roles: readonly string[]; readonly ask: Ask }> = mode.chain((way) =>
  fc.constantFrom<{ readonly roles: readonly string[]; readonly ask: Ask }>(
    { roles: ['button', 'checkbox'], ask: (engine, ref) => engine.click({ ...DEADLINE, ref, mode: way }) },
    { roles: ['checkbox'], ask: (engine, ref) => engine.act({ ...DEADLINE, ref, act: 'toggle', mode: way }) },
    {
      roles: ['button', 'checkbox'],
      ask: (engine, ref) => engine.gesture({ ...DEADLINE, ref, gesture: 'double-click' }),
    },
    { roles: ['button'], ask: (engine, ref) => engine.gesture({ ...DEADLINE, ref, gesture: 'right-click' }) },
    {
      roles: ['textbox'],
      ask: (engine, ref) => engine.setValue({ ...DEADLINE, ref, value: 'so', mode: way }),
    },
    {
      roles: ['textbox'],
      ask: (engine, ref) =>
        engine.type({ ...DEADLINE, ref, text: 'ab', delayMs: 0, clearFirst: false, mode: way }),
    },
    {
      roles: ['textbox', 'button'],
      ask: (engine, ref) => engine.press({ ...DEADLINE, ref, keys: parseKeyCombination('Enter') }),
    },
  ),
);

function locatorOf({ role, name = '' }: OutputNode): string {
  return printLocator({
    steps: [{ kind: 'role', role, filters: [{ attribute: 'name', operator: '=', text: name }] }],
  });
}

it('an act reaches its element or none, whatever happens before and meanwhile', async () => {
  const seen = { got: 0, failed: 0 };
  await fc.assert(
    fc.asyncProperty(
      ask,
      fc.nat(20),
      fc.boolean(),
      fc.array(disturbance, { maxLength: 5 }),
      fc.array(fc.record({ afterCalls: fc.nat(CALLS), what: disturbance }), { maxLength: 4 }),
      async (act, chosen, byLocator, before, during) => {
        const unsteady = new UnsteadyWorld();
        const { desktop, world, got } = unsteady;
        const engine = await createEngine({ desktop, session: new MemoryStore(), clock: world.clock });
        const { tree } = await snapshot(engine, { app: '100', includeBounds: true });
        const able = flatten(tree).filter(({ role, ref }) => ref !== undefined && act.roles.includes(role));
        const element = able[chosen % able.length];
        if (element?.ref === undefined || !element.bounds) throw new Error('nothing to act on');
        const identity = unsteady.identityAt(element.bounds);
        for (const one of before) unsteady.apply(one);
        got.length = 0;
        unsteady.disturbLater(during);
        const target = byLocator ? `app:100 >> ${locatorOf(element)}` : element.ref;
        await act.ask(engine, target).catch((error: unknown) => {
          if (!(error instanceof DeskterityError) || error.code === 'INTERNAL') throw error;
          seen.failed++;
        });
        await world.clock.sleep(2000);
        // A locator means any element that has the name at some time; a ref always means its element.
        const isMeant = (one: number): boolean =>
          byLocator ? unsteady.names.get(one)?.has(element.name ?? '') === true : one === identity;
        expect(got.filter((one) => !isMeant(one.identity))).toEqual([]);
        expect(desktop.input.held).toEqual([]);
        if (got.length > 0) seen.got++;
      },
    ),
    { numRuns: RUNS, seed: 20_265 },
  );
  // The property would also hold if acts never did anything, or if nothing ever went wrong.
  expect(seen.got).toBeGreaterThan(RUNS / 4);
  expect(seen.failed).toBeGreaterThan(RUNS / 10);
}, 60_000);
