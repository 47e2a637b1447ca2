import type { Bounds } from '../../model/tree/bounds.ts';
import type { TreeNode } from '../../model/tree/node.ts';
import { roleSet } from '../../model/tree/role.ts';
import { isInView } from './element-states.ts';

/**
 * Whether an element is a combo box whose list is open. A list that is inside its combo box at all times drops down from nothing; one that drops down
 * may be anywhere in the tree, as in Firefox.
 */
export function isDroppedDown(node: TreeNode): boolean {
  const { role, states, bounds } = node;
  if (role !== 'combobox' || !states.includes('expanded') || !isInView(node)) return false;
  const items = itemsIn(node);
  return bounds === undefined || items.length === 0 || items.some((item) => reachesBeyond(item, bounds));
}

/**
 * Whether the list of a combo box shows, of a toolkit that does not report whether it is expanded (GTK 4, Qt 5): its items are on screen, beyond the box.
 */
export function showsItsList(node: TreeNode): boolean {
  const { role, states, bounds } = node;
  if (role !== 'combobox' || bounds === undefined || !isInView(node)) return false;
  if (states.includes('expanded') || states.includes('collapsed')) return isDroppedDown(node);
  return itemsIn(node).some((item) => reachesBeyond(item, bounds));
}

const ITEMS = roleSet('cell', 'listitem', 'menuitem', 'option', 'row', 'treeitem');

function itemsIn(node: TreeNode): Bounds[] {
  const own = ITEMS.has(node.role) && isInView(node) && node.bounds !== undefined ? [node.bounds] : [];
  return [...own, ...node.children.flatMap(itemsIn)];
}

function reachesBeyond({ y, height }: Bounds, box: Bounds): boolean {
  return y < box.y || y + height > box.y + box.height;
}
