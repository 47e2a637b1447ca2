import type { TreeNode } from '../../model/tree/node.ts';
import { roleSet } from '../../model/tree/role.ts';

/** Rows of trees: a click on one selects it, and only the arrow before it, or a key, opens it. */
export const ROWS = roleSet('treeitem', 'row', 'listitem', 'cell');

/** Whether an element is on screen according to its application; it may still be covered. */
export function isInView({ bounds, states }: Pick<TreeNode, 'bounds' | 'states'>): boolean {
  return bounds !== undefined && !states.includes('offscreen') && !states.includes('hidden');
}

/** Whether an element reports whether it is expanded. */
export function reportsExpansion({ states }: Pick<TreeNode, 'states'>): boolean {
  return states.includes('expanded') || states.includes('collapsed');
}
