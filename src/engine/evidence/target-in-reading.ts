import { handleKey, type NodeHandle, type TreeNode } from '../../model/tree/node.ts';
import { pathTo } from '../tree/path-to.ts';
import { isDrawnAlike, type Drawn } from './remade-sources.ts';
import type { Reading } from './window-diff.ts';

/**
 * A reading in which the target has the handle that it is known by. Qt makes a new object of a row or cell for each reading: the target is then the one of
 * its role, name and place.
 * @param target as it was when the window was read
 * @param handle that the target is known by
 */
export function withTargetHandle(reading: Reading, target: Drawn | undefined, handle: NodeHandle): Reading {
  if (target === undefined || pathTo(reading.root, handleKey(handle)).length > 0) return reading;
  const root = renamed(reading.root, target, handle);
  return root === undefined ? reading : { ...reading, root };
}

/** The tree with the handle in the place of the target; nothing if the target is not in it. */
function renamed(node: TreeNode, target: Drawn, handle: NodeHandle): TreeNode | undefined {
  if (node.slot !== undefined && isDrawnAlike(node, target)) return { ...node, handle };
  for (const [index, child] of node.children.entries()) {
    const found = renamed(child, target, handle);
    if (found !== undefined) return { ...node, children: node.children.with(index, found) };
  }
  return undefined;
}
