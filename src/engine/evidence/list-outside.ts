import { handleKey, type TreeNode } from '../../model/tree/node.ts';
import type { NodeDetails } from '../../ports/desktop/elements.ts';
import type { Reading } from './window-diff.ts';

/**
 * Firefox opens the list of a combo box outside its page, inside an unnamed combo box of its own, and the one in the page stays collapsed. While the
 * list is open, the one in the page has the focus and both have the same value.
 */
export function listOutside(
  { role, states, value, handle }: Pick<NodeDetails, 'role' | 'states' | 'value' | 'handle'>,
  tree: Reading | undefined,
): TreeNode | undefined {
  if (role !== 'combobox' || !states.includes('focused') || states.includes('expanded')) return undefined;
  const own = handleKey(handle);
  const find = (node: TreeNode): TreeNode | undefined => {
    if (handleKey(node.handle) === own) return undefined;
    if (isOpen(node) && node.name === '' && node.value === value) return node;
    for (const child of node.children) {
      const found = find(child);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return tree && find(tree.root);
}

/** Whether such a list is still open. */
export function isStillOpen(list: TreeNode, { root }: Reading): boolean {
  const key = handleKey(list.handle);
  const has = (node: TreeNode): boolean =>
    (handleKey(node.handle) === key && isOpen(node)) || node.children.some(has);
  return has(root);
}

function isOpen({ role, states }: TreeNode): boolean {
  return role === 'combobox' && states.includes('expanded');
}
