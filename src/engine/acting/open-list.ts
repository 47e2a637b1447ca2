import type { Bounds } from '../../model/tree/bounds.ts';
import { handleKey, type TreeNode } from '../../model/tree/node.ts';
import { roleSet } from '../../model/tree/role.ts';
import { listOutside } from '../evidence/list-outside.ts';
import type { Reading } from '../evidence/window-diff.ts';
import type { ResolvedTarget } from '../refs/target.ts';
import { pathTo } from '../tree/path-to.ts';
import { isInView } from '../tree/element-states.ts';

/**
 * Why an accessibility action on an element is not the same as a click on it: the list of a combo box is open, such as the suggestions of an address
 * bar. A click outside it closes that, and the action leaves it open, over what it brings about.
 */
export function leavesListOpen(
  { node, record }: ResolvedTarget,
  tree: Reading | undefined,
): string | undefined {
  if (tree === undefined || listOutside(node, tree) !== undefined) return undefined;
  const key = handleKey(record);
  return hasOpenList(tree.root, key)
    ? 'a list is open elsewhere in its window, which a click closes and an accessibility action leaves open'
    : undefined;
}

function hasOpenList(node: TreeNode, targetKey: string): boolean {
  if (isOpen(node)) return pathTo(node, targetKey).length === 0;
  return node.children.some((child) => hasOpenList(child, targetKey));
}

/** A list that is inside its combo box at all times drops down from nothing. One that drops down may be anywhere in the tree, as in Firefox. */
function isOpen(node: TreeNode): boolean {
  const { role, states, bounds } = node;
  if (role !== 'combobox' || !states.includes('expanded') || !isInView(node)) return false;
  const items = itemsIn(node);
  return bounds === undefined || items.length === 0 || items.some((item) => reachesBeyond(item, bounds));
}

const ITEMS = roleSet('cell', 'listitem', 'menuitem', 'option', 'row', 'treeitem');

function itemsIn(node: TreeNode): Bounds[] {
  const own = ITEMS.has(node.role) && isInView(node) && node.bounds !== undefined ? [node.bounds] : [];
  return [...own, ...node.children.flatMap(itemsIn)];
}

function reachesBeyond({ y, height }: Bounds, box: Bounds): boolean {
  return y < box.y || y + height > box.y + box.height;
}
