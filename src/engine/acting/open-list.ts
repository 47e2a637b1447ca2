import { handleKey, type TreeNode } from '../../model/tree/node.ts';
import { listOutside } from '../evidence/list-outside.ts';
import { isPartOfMenu } from '../evidence/menu-closing.ts';
import type { Reading } from '../evidence/window-diff.ts';
import type { ResolvedTarget } from '../refs/target.ts';
import { isInView } from '../tree/element-states.ts';
import { showsItsList } from '../tree/dropped-down.ts';
import { pathTo } from '../tree/path-to.ts';

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
  if (showsItsList(node)) return pathTo(node, targetKey).length === 0;
  return node.children.some((child) => hasOpenList(child, targetKey));
}

/**
 * The combo box whose list is open and is not typed into, unless the element belongs to it: a click elsewhere only closes that. The lists of fields, such
 * as the suggestions of an address bar, let it through.
 */
export function listTakingClick({ node, record }: ResolvedTarget, tree: Reading): TreeNode | undefined {
  return listOutside(node, tree) === undefined ? openListBesides(tree.root, handleKey(record)) : undefined;
}

function openListBesides(node: TreeNode, targetKey: string): TreeNode | undefined {
  if (showsItsList(node)) return isTypedInto(node) || pathTo(node, targetKey).length > 0 ? undefined : node;
  for (const child of node.children) {
    const found = openListBesides(child, targetKey);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Whether a popover of GTK 3 is open that the element is not in. It is drawn inside its window, and takes the next click, which only closes it. */
export function isOutsidePopover({ node: target, record }: ResolvedTarget, { root }: Reading): boolean {
  const key = handleKey(record);
  // Menus and lists that were opened from a popover are windows of their own, over it.
  const isInMenu = pathTo(root, key).some(({ role }) => isPartOfMenu(role));
  if (isInMenu || isPartOfMenu(target.role) || target.role === 'option') return false;
  const isTaking = (node: TreeNode): boolean =>
    node !== root &&
    node.role === 'group' &&
    node.states.includes('modal') &&
    isInView(node) &&
    pathTo(node, key).length === 0;
  const holdsTaking = (node: TreeNode): boolean => isTaking(node) || node.children.some(holdsTaking);
  return holdsTaking(root);
}

function isTypedInto({ states, children }: TreeNode): boolean {
  return states.includes('editable') || children.some(({ role }) => role === 'textbox');
}
