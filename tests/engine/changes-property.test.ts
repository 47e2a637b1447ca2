import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { createEngine } from '../../src/engine/create-engine.ts';
import type { ChangeSince } from '../../src/model/effects/effect.ts';
import type { OutputNode } from '../../src/model/tree/node.ts';
import { isInteractive } from '../../src/model/tree/role.ts';
import { SimulatedClock } from '../simulated/simulated-clock.ts';
import { changesSince } from './support/changes.ts';
import { MemoryStore } from './support/memory-store.ts';
import { ShiftingWorld, type Mutation } from './support/shifting-world.ts';
import { flatten, snapshot } from './support/stage.ts';

const RUNS = 120;

const mutation: fc.Arbitrary<Mutation> = fc.record({
  kind: fc.constantFrom(
    'rename',
    'remove',
    'insert',
    'recreate',
    'swap',
    'twin',
    'recycle',
    'toggle',
    'toggle',
    'write',
  ),
  at: fc.nat(60),
  other: fc.nat(40),
  name: fc.constantFrom('OK', 'Cancel', 'Save', 'Delete', 'Alice', 'Bob', 'Item 1', 'Item 12', ''),
});

it('changes since a cursor list exactly the interactive elements that appeared, disappeared or changed', async () => {
  const seen = { appeared: 0, disappeared: 0, changed: 0, quiet: 0 };
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(mutation, { maxLength: 5 }), { minLength: 1, maxLength: 3 }),
      async (rounds) => {
        const shifting = new ShiftingWorld();
        const clock = new SimulatedClock();
        const engine = await createEngine({ desktop: shifting.desktop, session: new MemoryStore(), clock });
        let before = await snapshot(engine);
        for (const mutations of rounds) {
          for (const step of mutations) shifting.apply(step);
          const { changes } = await changesSince(engine, before.cursor);
          const after = await snapshot(engine);
          const [old, now] = [refsOf(before.tree), refsOf(after.tree)];
          const told = changes.filter(({ ref }) => ref?.startsWith('@e'));
          const live = (kind: ChangeSince['kind']): string[] =>
            told.filter((change) => change.kind === kind).map(({ ref }) => ref ?? '');

          const came = [...now.keys()].filter((ref) => !old.has(ref));
          expect(live('appeared')).toEqual(came);

          const differ = [...now.keys()].filter((ref) => old.has(ref) && says(old, ref) !== says(now, ref));
          expect([...new Set(live('changed'))]).toEqual(differ);

          const gone = [...old.keys()].filter((ref) => !now.has(ref));
          const goneAsWhole = changes.filter((change) => change.kind === 'disappeared' && change.inside);
          const covered = new Set(goneAsWhole.flatMap((change) => refsInside(before.tree, change)));
          expect(gone).toEqual(expect.arrayContaining(live('disappeared')));
          expect(gone.filter((ref) => !live('disappeared').includes(ref) && !covered.has(ref))).toEqual([]);

          seen.appeared += came.length;
          seen.disappeared += gone.length;
          seen.changed += differ.length;
          if (changes.length === 0) seen.quiet += 1;
          before = after;
        }
      },
    ),
    { numRuns: RUNS, seed: 20_261 },
  );
  // The property would also hold for a world that never changes.
  expect(seen.appeared).toBeGreaterThan(RUNS);
  expect(seen.disappeared).toBeGreaterThan(RUNS);
  expect(seen.changed).toBeGreaterThan(RUNS / 2);
  expect(seen.quiet).toBeGreaterThan(10);
}, 120_000);

function refsOf(tree: OutputNode): Map<string, OutputNode> {
  return new Map(
    flatten(tree).flatMap((node) =>
      node.ref && isInteractive(node.role) ? [[node.ref, node] as const] : [],
    ),
  );
}

function says(nodes: ReadonlyMap<string, OutputNode>, ref: string): string {
  const node = nodes.get(ref);
  return JSON.stringify([node?.name, node?.value, node?.states]);
}

/** Refs inside the elements that a change may concern. */
function refsInside(tree: OutputNode, change: ChangeSince): string[] {
  return flatten(tree)
    .filter((node) =>
      change.ref === undefined
        ? node.role === change.role && node.name === change.name
        : node.ref === change.ref,
    )
    .flatMap((node) =>
      flatten(node)
        .slice(1)
        .flatMap(({ ref }) => ref ?? []),
    );
}
