import { expect, it } from 'vitest';
import { intersect } from '../../src/model/tree/bounds.ts';
import type { Role } from '../../src/model/tree/role.ts';
import { marksOf } from '../../src/engine/judging/picture-marks.ts';
import type { TreeNode } from '../../src/model/tree/node.ts';

const BOX = { x: 200, y: 60, width: 300, height: 300 };
const MIDDLE = { x: 250, y: 110, width: 200, height: 200 };

function node(id: string, role: Role, more: Partial<TreeNode> = {}): TreeNode {
  return {
    handle: { app: 'app', path: id },
    role,
    nativeRole: '',
    name: '',
    states: [],
    children: [],
    ...more,
  };
}

/** The zones that are left out after an act on a menu item, after which an element has the focus. */
function zonesWith(focused: TreeNode) {
  const item = { ...node('item', 'menuitem'), interfaces: [], attributes: {}, relations: [] };
  const trees = [[], [focused]].map((children) => ({
    root: node('window', 'window', { children }),
    complete: true,
  }));
  return marksOf({ target: item, isElement: true, usesPointer: false, points: [], trees }).zones;
}

it('a large image that takes the focus shows that by its rim: what it shows still counts', () => {
  const zones = zonesWith(node('it', 'image', { bounds: BOX, states: ['focused'] }));
  expect(zones.some((zone) => intersect(zone, MIDDLE) !== undefined)).toBe(false);
  expect(zones.filter((zone) => intersect(zone, BOX) !== undefined)).toHaveLength(4);
});

it.each<[string, Role, Partial<TreeNode>]>([
  ['a list, whose selected row takes another colour with the focus', 'list', {}],
  ['an image with parts', 'image', { children: [node('part', 'listitem')] }],
  ['a small image', 'image', { bounds: { x: 300, y: 150, width: 60, height: 60 } }],
])('%s is left out as a whole', (_what, role, more) => {
  const zones = zonesWith(node('it', role, { bounds: BOX, states: ['focused'], ...more }));
  expect(zones.some((zone) => intersect(zone, MIDDLE) !== undefined)).toBe(true);
});
