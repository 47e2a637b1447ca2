import { expect, it } from 'vitest';
import { judgeScroll } from '../../src/engine/judging/judge-scroll.ts';
import type { Reading } from '../../src/engine/evidence/window-diff.ts';
import type { Bounds } from '../../src/model/tree/bounds.ts';
import type { ObservedChange } from '../../src/engine/evidence/window-diff.ts';
import { handleKey, type TreeNode } from '../../src/model/tree/node.ts';

const DOWN = { x: 0, y: 1 };

function node(id: string, y: number, children: TreeNode[] = []): TreeNode {
  const bounds = { x: 0, y, width: 100, height: 20 };
  const handle = { app: 'app', path: id };
  return { handle, role: 'listitem', nativeRole: 'list item', name: id, states: [], bounds, children };
}

function list(rows: readonly (readonly [string, number])[]): Reading {
  const children = rows.map(([id, y]) => node(id, y));
  return { root: node('window', 0, [node('list', 0, children)]), complete: true };
}

function judged(
  before: Reading,
  after: Reading,
  away?: ReadonlyMap<string, Bounds>,
  changes: readonly ObservedChange[] = [],
) {
  const target = { ...node('list', 0), attributes: {}, relations: [], interfaces: [] };
  return judgeScroll(
    {
      outcome: { delivered: true, via: 'pointer:wheel' },
      before: target,
      after: target,
      events: changes.map(({ node: { handle } }) => ({
        kind: 'name-changed',
        node: handle,
        detail: 'accessible-name',
        atMs: 0,
      })),
      changes,
      windowChanges: [],
      targetKey: handleKey(target.handle),
      away,
      trees: { before, after },
    },
    DOWN,
  );
}

const FIRST = list([
  ['a', 0],
  ['b', 20],
  ['c', 40],
  ['d', 60],
]);

it('rows that all moved up by the same distance confirm that a list was scrolled down', () => {
  const after = list([
    ['c', 0],
    ['d', 20],
    ['e', 40],
    ['f', 60],
  ]);
  expect(judged(FIRST, after)).toMatchObject({ effect: 'confirmed' });
});

it('rows read while they move are no failure if others came into view', () => {
  const after = list([
    ['c', 3],
    ['d', 21],
    ['e', 43],
    ['f', 60],
  ]);
  expect(judged(FIRST, after)).toMatchObject({ effect: 'unverified', retrySafe: false });
});

it('rows that all move up, and are still moving, confirm it', () => {
  const after = list([
    ['a', -43],
    ['b', -21],
    ['c', 2],
    ['d', 25],
  ]);
  expect(judged(FIRST, after)).toMatchObject({ effect: 'confirmed' });
  const mixed = list([
    ['a', -43],
    ['b', -21],
    ['c', 2],
    ['d', 65],
  ]);
  expect(judged(FIRST, mixed).effect).not.toBe('confirmed');
});

it('rows that tell where they are out of view confirm that everything was scrolled away', () => {
  const after = list([
    ['x', 0],
    ['y', 20],
    ['z', 40],
  ]);
  const away = (distance: number): ReadonlyMap<string, Bounds> =>
    new Map(
      ['a', 'b', 'c'].map((id, index) => [
        handleKey({ app: 'app', path: id }),
        { x: 0, y: index * 20 + distance, width: 100, height: 20 },
      ]),
    );
  const { effect, evidence } = judged(FIRST, after, away(-900));
  expect([effect, evidence]).toEqual(['confirmed', ['fresh read: 3 elements moved by 0,-900 pixels']]);
  expect(judged(FIRST, after, away(900)).effect).toBe('unverified');
  expect(judged(FIRST, after).effect).toBe('unverified');
});

it('no movement means the end of the list, but only if it is still so after a while', () => {
  expect(judged(FIRST, FIRST)).toMatchObject({ effect: 'no_op', retrySafe: true, sawNothing: true });
});

it('elements that are used again for other rows do not tell which way a list was scrolled', () => {
  const row = node('a', 0);
  const used: ObservedChange = {
    change: {
      kind: 'changed',
      role: 'listitem',
      name: 'Row 262',
      before: 'name "Row 57"',
      after: 'name "Row 262"',
    },
    key: handleKey(row.handle),
    node: row,
    lineage: [handleKey(node('window', 0).handle), handleKey(node('list', 0).handle)],
  };
  expect(judged(FIRST, FIRST, undefined, [used]).effect).toBe('unverified');
  const beside = { ...used, lineage: [handleKey(node('window', 0).handle)] };
  expect(judged(FIRST, FIRST, undefined, [beside]).effect).toBe('confirmed');
});
