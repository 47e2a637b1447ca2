import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { createEngine } from '../../src/engine/create-engine.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { NOTHING_CHANGED } from '../../src/engine/evidence/evidence.ts';
import type { Receipt } from '../../src/model/effects/effect.ts';
import { DeskterityError } from '../../src/model/effects/errors.ts';
import { isRecord } from '../../src/model/is-record.ts';
import { parseKeyCombination } from '../../src/model/text/key-combination.ts';
import { MemoryStore } from './support/memory-store.ts';
import { flatten, snapshot } from './support/stage.ts';
import { DISTURBANCES, UnsteadyWorld } from './support/unsteady-world.ts';

const RUNS = 200;
const DEADLINE = { deadlineMs: 3000 };
/** About how many calls to the desktop an act makes. */
const CALLS = 30;

const disturbance = fc.record({
  kind: fc.constantFrom(...DISTURBANCES),
  at: fc.nat(40),
  other: fc.nat(40),
});

type Ask = (engine: Engine, ref: string) => Promise<Receipt>;

const ask = fc.constantFrom<{ readonly roles: readonly string[]; readonly ask: Ask }>(
  { roles: ['button', 'checkbox'], ask: (engine, ref) => engine.click({ ...DEADLINE, ref }) },
  {
    roles: ['button', 'checkbox'],
    ask: (engine, ref) => engine.click({ ...DEADLINE, ref, mode: 'pointer' }),
  },
  { roles: ['checkbox'], ask: (engine, ref) => engine.act({ ...DEADLINE, ref, act: 'toggle' }) },
  { roles: ['button'], ask: (engine, ref) => engine.gesture({ ...DEADLINE, ref, gesture: 'double-click' }) },
  { roles: ['textbox'], ask: (engine, ref) => engine.setValue({ ...DEADLINE, ref, value: 'so' }) },
  {
    roles: ['textbox', 'button'],
    ask: (engine, ref) => engine.press({ ...DEADLINE, ref, keys: parseKeyCombination('Enter') }),
  },
);

/** The evidence and the list of changes of an answer, also of one that says that the act failed. */
function told(answer: unknown): {
  readonly evidence: readonly unknown[];
  readonly changes: readonly unknown[];
} {
  const { evidence, changes } = isRecord(answer) ? answer : {};
  return {
    evidence: Array.isArray(evidence) ? evidence : [],
    changes: Array.isArray(changes) ? changes : [],
  };
}

it('no receipt says that nothing changed above a list of changes', async () => {
  const seen = { nothing: 0, changes: 0 };
  await fc.assert(
    fc.asyncProperty(
      ask,
      fc.nat(20),
      fc.array(fc.record({ afterCalls: fc.nat(CALLS), what: disturbance }), { maxLength: 4 }),
      async (act, chosen, during) => {
        const unsteady = new UnsteadyWorld();
        const { desktop, world } = unsteady;
        const engine = await createEngine({ desktop, session: new MemoryStore(), clock: world.clock });
        const { tree } = await snapshot(engine, { app: '100' });
        const able = flatten(tree).filter(({ role, ref }) => ref !== undefined && act.roles.includes(role));
        const ref = able[chosen % able.length]?.ref ?? '';
        unsteady.disturbLater(during);
        const answer = await act.ask(engine, ref).catch((error: unknown) => {
          if (error instanceof DeskterityError && error.code !== 'INTERNAL') return error.result;
          throw error;
        });
        const { evidence, changes } = told(answer);
        const saysNothing = evidence.includes(NOTHING_CHANGED);
        expect([evidence, saysNothing ? changes : []]).toEqual([evidence, []]);
        if (saysNothing) seen.nothing++;
        if (changes.length > 0) seen.changes++;
      },
    ),
    { numRuns: RUNS, seed: 20_267 },
  );
  // The property would also hold if receipts never said it, or never listed anything.
  expect(seen.nothing).toBeGreaterThan(RUNS / 20);
  expect(seen.changes).toBeGreaterThan(RUNS / 20);
}, 60_000);
