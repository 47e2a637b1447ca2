import { handleKey, type TreeNode } from '../../model/tree/node.ts';

/** From the root down to the element of a key; empty if it is not there. */
export function pathTo(node: TreeNode, key: string): TreeNode[] {
  if (handleKey(node.handle) === key) return [node];
  for (const child of node.children) {
    const below = pathTo(child, key);
    if (below.length > 0) return [node, ...below];
  }
  return [];
}
