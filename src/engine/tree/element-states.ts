import type { TreeNode } from '../../model/tree/node.ts';

/** Whether an element has a place on the screen, as far as its application says; what covers it there is another question. */
export function isInView({ bounds, states }: Pick<TreeNode, 'bounds' | 'states'>): boolean {
  return bounds !== undefined && !states.includes('offscreen') && !states.includes('hidden');
}

/** Whether an element says whether it is open. */
export function saysOpenness({ states }: Pick<TreeNode, 'states'>): boolean {
  return states.includes('expanded') || states.includes('collapsed');
}
