import { handleKey, type TreeNode } from '../../model/tree/node.ts';
import { listOutside } from '../evidence/list-outside.ts';
import type { Reading } from '../evidence/window-diff.ts';
import type { ResolvedTarget } from '../refs/target.ts';
import { isDroppedDown } from '../tree/dropped-down.ts';
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
  if (isDroppedDown(node)) return pathTo(node, targetKey).length === 0;
  return node.children.some((child) => hasOpenList(child, targetKey));
}
