import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { Session } from '../../src/engine/refs/session.ts';
import { TargetResolver } from '../../src/engine/refs/resolve.ts';
import { TreeIndex } from '../../src/engine/tree/tree-index.ts';
import { DeskterityError } from '../../src/model/effects/errors.ts';
import type { SimulatedDesktop } from '../simulated/simulated-desktop.ts';
import { MemoryStore } from './support/memory-store.ts';
import { ShiftingWorld, type Mutation } from './support/shifting-world.ts';

const RUNS = 150;
const DEADLINE = { deadlineMs: 5000 };
const HONEST: ReadonlySet<string> = new Set(['STALE_REF', 'AMBIGUOUS_TARGET']);

const mutation: fc.Arbitrary<Mutation> = fc.record({
  kind: fc.constantFrom('rename', 'remove', 'insert', 'recreate', 'swap', 'twin', 'recycle', 'look'),
  at: fc.nat(40),
  other: fc.nat(40),
  name: fc.constantFrom('OK', 'Cancel', 'Save', 'Delete', 'Alice', 'Bob', 'Item 1', 'Item 12', ''),
});

it('a ref names its element or fails, whatever happens to the tree', async () => {
  let found = 0;
  let again = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(mutation, { minLength: 1, maxLength: 14 }), async (mutations) => {
      const shifting = new ShiftingWorld();
      const session = new Session(new MemoryStore(), { desktopId: 'here' });
      const resolver = new TargetResolver(shifting.desktop, session, {
        locate: () => Promise.reject(new Error('only refs')),
        matching: () => Promise.reject(new Error('only refs')),
      });
      /** The element of each ref. */
      const meant = new Map<string, number>();
      const look = async (): Promise<void> => {
        for (const [ref, path] of await giveRefs(shifting.desktop, session)) {
          const identity = shifting.identityOf(path);
          expect(meant.get(ref) ?? identity, `${ref} was given to two elements`).toBe(identity);
          meant.set(ref, identity);
        }
      };
      await look();
      for (const step of mutations) {
        shifting.apply(step);
        // A copy that disappears or replaces its original unseen cannot be distinguished from the recreated original.
        if (step.kind === 'look' || step.kind === 'twin') await look();
      }
      for (const [ref, identity] of meant) {
        const path = await resolver.resolve(ref, DEADLINE).then(
          (target) => target.node.handle.path,
          (error: unknown) => {
            if (error instanceof DeskterityError && HONEST.has(error.code)) return undefined;
            throw error;
          },
        );
        if (path === undefined) continue;
        expect(shifting.identityOf(path), `${ref} resolved to another element`).toBe(identity);
        found++;
        if (shifting.isNewObject(path)) again++;
      }
    }),
    { numRuns: RUNS, seed: 20_260 },
  );
  // The property would hold for a resolver that always fails.
  expect(found).toBeGreaterThan(RUNS * 5);
  expect(again).toBeGreaterThan(50);
}, 120_000);

async function giveRefs(desktop: SimulatedDesktop, session: Session): Promise<[ref: string, path: string][]> {
  const [window] = await desktop.listWindows(DEADLINE);
  if (!window?.root) return [];
  const read = await desktop.readTree({
    ...DEADLINE,
    root: window.root,
    wholeTree: true,
    maxNodes: 20_000,
    includeActions: false,
  });
  const index = new TreeIndex(read.root);
  return session.edit((table) =>
    index.nodes.map((node) => [table.refForElement(index.describe(node, window.id)), node.handle.path]),
  );
}
