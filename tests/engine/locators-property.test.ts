import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { Connections } from '../../src/engine/refs/connections.ts';
import { LocatorResolver } from '../../src/engine/refs/locate.ts';
import { LocatorMemory } from '../../src/engine/refs/locate/memory.ts';
import { nameLikeness } from '../../src/engine/refs/locate/similarity.ts';
import { Readings } from '../../src/engine/reading/readings.ts';
import { TargetResolver } from '../../src/engine/refs/resolve.ts';
import { ScopeResolver } from '../../src/engine/refs/scope.ts';
import { Session } from '../../src/engine/refs/session.ts';
import { TreeIndex } from '../../src/engine/tree/tree-index.ts';
import { DeskterityError } from '../../src/model/effects/errors.ts';
import { printLocator, type LocatorStep } from '../../src/model/refs/locator.ts';
import type { TreeNode } from '../../src/model/tree/node.ts';
import type { Role } from '../../src/model/tree/role.ts';
import { SimulatedClock } from '../simulated/simulated-clock.ts';
import { MemoryStore } from './support/memory-store.ts';
import { ShiftingWorld, type Mutation } from './support/shifting-world.ts';

const RUNS = 150;
/** Elements requested in each run in addition to the renamed one. */
const EVERY = 9;
const DEADLINE = { deadlineMs: 5000 };
const HONEST: ReadonlySet<string> = new Set([
  'ELEMENT_NOT_FOUND',
  'AMBIGUOUS_TARGET',
  'STALE_REF',
  'WINDOW_NOT_FOUND',
]);

const mutation: fc.Arbitrary<Mutation> = fc.record({
  kind: fc.constantFrom('rename', 'remove', 'insert', 'recreate', 'swap', 'twin', 'recycle'),
  at: fc.nat(40),
  other: fc.nat(40),
  name: fc.constantFrom('Print', 'Zoom', 'Help', 'Quit', 'Copy', 'Dora', 'Emil', 'OK', 'Item 3', ''),
});

interface Element {
  readonly node: TreeNode;
  readonly identity: number;
  /** Locator steps with its role and name, and those of at most one container. */
  readonly locators: readonly (readonly LocatorStep[])[];
}

async function elements(shifting: ShiftingWorld): Promise<Element[]> {
  const [window] = await shifting.desktop.listWindows(DEADLINE);
  if (!window?.root) return [];
  const request = {
    ...DEADLINE,
    root: window.root,
    wholeTree: true,
    maxNodes: 20_000,
    includeActions: false,
  };
  const { root } = await shifting.desktop.readTree(request);
  const index = new TreeIndex(root);
  return index.nodes.slice(1).map((node) => {
    const own = step(node.role, node.name);
    const container = index.trail(node).findLast(({ name }) => name !== '');
    return {
      node,
      identity: shifting.identityOf(node.handle.path),
      locators: [[own], ...(container === undefined ? [] : [[step(container.role, container.name), own]])],
    };
  });
}

function step(role: Role, name: string): LocatorStep {
  return { kind: 'role', role, filters: [{ attribute: 'name', operator: '=', text: name }] };
}

function locatorsOn(shifting: ShiftingWorld): TargetResolver {
  const { desktop } = shifting;
  const store = new MemoryStore();
  const session = new Session(store, { desktopId: 'here' });
  const scope = new ScopeResolver(desktop, session, new Connections(store, 'here'));
  const [readings, memory] = [new Readings(store, 'here'), new LocatorMemory(store, 'here')];
  const locators = new LocatorResolver({
    desktop,
    clock: new SimulatedClock(),
    session,
    scope,
    readings,
    memory,
  });
  return new TargetResolver(desktop, session, locators);
}

async function honestly<T>(asked: Promise<T>): Promise<T | undefined> {
  return asked.catch((error: unknown) => {
    if (error instanceof DeskterityError && HONEST.has(error.code)) return undefined;
    throw error;
  });
}

it('a locator resolves to the one element that it describes or fails, and heals only to the one it matched before', async () => {
  const seen = { matched: 0, healed: 0, gone: 0 };
  await fc.assert(
    fc.asyncProperty(fc.array(mutation, { maxLength: 8 }), fc.nat(100), async (mutations, chosen) => {
      const shifting = new ShiftingWorld();
      const resolver = locatorsOn(shifting);
      const before = await elements(shifting);
      /** The element that each locator matched. */
      const meant = new Map<string, Element>();
      const target = before[chosen % before.length];
      const asked = before.filter((element, index) => element === target || index % EVERY === chosen % EVERY);
      for (const element of asked)
        for (const steps of element.locators) {
          const locator = printLocator({ steps });
          if (await honestly(resolver.resolve(locator, DEADLINE))) meant.set(locator, element);
        }
      if (target && target.node.name !== '')
        shifting.rename(target.node.handle.path, `${target.node.name} please`);
      for (const one of mutations) shifting.apply(one);
      const after = await elements(shifting);
      const wrong: string[] = [];
      for (const [locator, { node, identity }] of meant) {
        const found = await honestly(resolver.resolve(locator, DEADLINE));
        const healed = await honestly(resolver.resolve(locator, { ...DEADLINE, heal: true }));
        const isAlike = (one: Pick<TreeNode, 'role' | 'name'>): boolean =>
          one.role === node.role && one.name === node.name;
        if (found) {
          seen.matched++;
          const matching = after.filter((one) => isAlike(one.node)).length;
          // In a container it need not be the only one.
          if (!isAlike(found.node) || (matching > 1 && !locator.includes(' >> ')))
            wrong.push(`${locator} matched another`);
          if (healed?.ref !== found.ref || healed.healed)
            wrong.push(`${locator} was healed where it matches`);
        } else if (after.every((one) => one.identity !== identity)) seen.gone++;
        if (!healed?.healed) continue;
        seen.healed++;
        const { name } = healed.node;
        const isMeant =
          shifting.identityOf(healed.node.handle.path) === identity || nameLikeness(node.name, name) === 1;
        if (!isMeant) wrong.push(`${locator} was healed to "${name}" (${healed.healed.score})`);
      }
      expect(wrong).toEqual([]);
    }),
    { numRuns: RUNS, seed: 20_263 },
  );
  // The property would hold for a locator that always fails, and for one that never heals.
  expect(seen.matched).toBeGreaterThan(RUNS * 2);
  expect(seen.gone).toBeGreaterThan(RUNS / 10);
  expect(seen.healed).toBeGreaterThan(RUNS / 10);
}, 120_000);
