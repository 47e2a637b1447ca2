import { expect, it } from 'vitest';
import { withTargetHandle } from '../../src/engine/evidence/target-in-reading.ts';
import type { Reading } from '../../src/engine/evidence/window-diff.ts';
import { pathTo } from '../../src/engine/tree/path-to.ts';
import { handleKey, type TreeNode } from '../../src/model/tree/node.ts';

const slot = { container: 'tree', index: 0, count: 2 };

function node(path: string, name: string, y: number, more: Partial<TreeNode> = {}): TreeNode {
  return {
    handle: { app: 'a', path },
    role: 'cell',
    nativeRole: 'table cell',
    name,
    states: [],
    bounds: { x: 0, y, width: 50, height: 20 },
    children: [],
    ...more,
  };
}

function reading(...rows: TreeNode[]): Reading {
  const tree = node('tree', '', 0, { role: 'tree', children: rows });
  return { root: node('window', 'Window', 0, { role: 'window', children: [tree] }), complete: true };
}

/** The names from the window to what is found by the handle of the target. */
function wayIn(read: Reading, target: TreeNode | undefined, path = 'known'): readonly string[] {
  const { root } = withTargetHandle(read, target, { app: 'a', path });
  return pathTo(root, handleKey({ app: 'a', path })).map(({ name }) => name);
}

it('finds a row that is another object in each reading by its role, name and place', () => {
  const read = reading(node('1', 'Copy', 20, { slot }), node('2', 'Paste', 40, { slot }));
  expect(wayIn(read, node('known', 'Paste', 40))).toEqual(['Window', '', 'Paste']);
  expect(wayIn(read, node('known', 'Paste', 60))).toEqual([]);
  expect(wayIn(read, node('known', 'Cut', 40))).toEqual([]);
  expect(wayIn(read, undefined)).toEqual([]);
});

it('leaves a reading that has the target, and elements whose objects stay', () => {
  const known = reading(node('known', 'Copy', 20, { slot }), node('2', 'Copy', 20, { slot }));
  expect(withTargetHandle(known, node('known', 'Copy', 20), { app: 'a', path: 'known' })).toBe(known);
  const staying = reading(node('1', 'Copy', 20));
  expect(withTargetHandle(staying, node('known', 'Copy', 20), { app: 'a', path: 'known' })).toBe(staying);
});
