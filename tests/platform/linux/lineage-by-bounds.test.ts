import { describe, expect, it } from 'vitest';
import type { Bounds } from '../../../src/model/tree/bounds.ts';
import type { TreeNode } from '../../../src/model/tree/node.ts';
import {
  isFilledBy,
  isTooltipOf,
  lineageByBounds,
  lineageInPopup,
} from '../../../src/platform/linux/desktop/lineage-by-bounds.ts';

const box = (x: number, y: number, width: number, height: number): Bounds => ({ x, y, width, height });
const node = (name: string, bounds: Bounds | undefined, ...children: TreeNode[]): TreeNode => ({
  handle: { app: ':1.1', path: `/${name}` },
  role: 'group',
  nativeRole: 'panel',
  name,
  states: [],
  ...(bounds ? { bounds } : {}),
  children,
});
const names = (lineage: readonly TreeNode[]): string[] => lineage.map(({ name }) => name);

describe('the element at a point, by reported bounds', () => {
  const tree = node(
    'window',
    box(0, 0, 100, 100),
    node('left', box(0, 0, 50, 100), node('button', box(10, 10, 20, 20))),
    node('layer', undefined, node('over', box(40, 40, 20, 20))),
  );

  it('is the innermost, followed by its ancestors', () => {
    expect(names(lineageByBounds(tree, { x: 15, y: 15 }))).toEqual(['button', 'left', 'window']);
    expect(names(lineageByBounds(tree, { x: 55, y: 55 }))).toEqual(['over', 'layer', 'window']);
    expect(names(lineageByBounds(tree, { x: 90, y: 90 }))).toEqual(['window']);
    expect(names(lineageByBounds(tree, { x: 100, y: 50 }))).toEqual([]);
  });

  it('is unknown if two elements overlap there', () => {
    expect(lineageByBounds(tree, { x: 45, y: 45 })).toEqual([]);
  });

  it('is an item of its menu in a popup, whatever is below', () => {
    const menu = node('menu', box(10, 10, 40, 60), node('item', box(10, 30, 40, 20)));
    const popup = box(8, 8, 44, 64);
    const window = node('window', box(0, 0, 100, 100), node('below', box(0, 0, 90, 90)), menu);
    expect(names(lineageInPopup(window, popup, { x: 20, y: 35 }))).toEqual(['item', 'menu', 'window']);
    expect(lineageInPopup(node('window', box(0, 0, 100, 100)), popup, { x: 20, y: 35 })).toEqual([]);
  });

  it('knows the tooltip of GTK 4 by its size; it stands beside the content of the window', () => {
    const tip = node('tip', box(16, 12, 169, 16), node('Open your folder', undefined));
    const label = node('Desktop', box(49, 139, 169, 16));
    const popup = box(30, 137, 191, 30);
    expect(isTooltipOf(node('window', box(0, 0, 300, 300), node('content', undefined), tip), popup)).toBe(
      true,
    );
    expect(isTooltipOf(node('window', box(0, 0, 300, 300), tip), box(30, 137, 223, 246))).toBe(false);
    expect(isTooltipOf(node('window', box(0, 0, 300, 300), node('content', undefined, label)), popup)).toBe(
      false,
    );
  });

  it('is in a popup that lies over a box of the same place, unless that is a menu or list', () => {
    const popup = box(0, 20, 100, 80);
    const content = node('content', box(0, 20, 100, 80));
    const window = node('window', box(0, 0, 100, 100), content);
    expect(isFilledBy(window, popup)).toBe(false);
    expect(isFilledBy({ ...window, children: [{ ...content, role: 'listbox' }] }, popup)).toBe(true);
  });

  it('is the item outside its bar in a GTK 3 menu', () => {
    const items = [node('one', box(1, 45, 102, 25)), node('two', box(1, 70, 102, 25))];
    const bar = node('bar', box(1, 20, 300, 25), ...items);
    const popup = box(1, 45, 102, 50);
    expect(names(lineageInPopup(bar, popup, { x: 5, y: 75 }))).toEqual(['two', 'bar']);
  });
});
