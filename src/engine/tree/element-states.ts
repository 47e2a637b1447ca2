import type { TreeNode } from '../../model/tree/node.ts';

/** Whether an element is on screen according to its application; it may still be covered. */
export function isInView({ bounds, states }: Pick<TreeNode, 'bounds' | 'states'>): boolean {
  return bounds !== undefined && !states.includes('offscreen') && !states.includes('hidden');
}

/** Whether an element reports whether it is expanded. */
export function reportsExpansion({ states }: Pick<TreeNode, 'states'>): boolean {
  return states.includes('expanded') || states.includes('collapsed');
}
