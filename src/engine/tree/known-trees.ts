import { prune, type DistilledTree, type DistillOptions } from '../../model/tree/distill/distill.ts';
import type { TreeNode } from '../../model/tree/node.ts';
import { TreeIndex } from './tree-index.ts';

/** What was made of a tree. */
interface Made {
  index: TreeIndex | undefined;
  readonly pruned: Map<string, DistilledTree>;
}

/** Platforms return the same tree again as long as nothing in it changes. Nobody changes the trees that they return. */
const made = new WeakMap<TreeNode, Made>();

function madeOf(root: TreeNode): Made {
  const known = made.get(root);
  if (known) return known;
  const begun: Made = { index: undefined, pruned: new Map() };
  made.set(root, begun);
  return begun;
}

/** The index of the tree of a window. */
export function indexOf(root: TreeNode): TreeIndex {
  const known = madeOf(root);
  known.index ??= new TreeIndex(root);
  return known.index;
}

type Shape = Pick<
  DistillOptions,
  'interactiveOnly' | 'compact' | 'wholeTree' | 'includeBounds' | 'includeActions' | 'maxDepth' | 'clip'
>;

/** A tree pruned, as {@link prune} does; nobody changes the result. */
export function prunedTree(root: TreeNode, options: Shape): DistilledTree {
  const { interactiveOnly, compact, wholeTree, includeBounds, includeActions, maxDepth, clip } = options;
  const shape = [interactiveOnly, compact, wholeTree, includeBounds, includeActions, maxDepth ?? -1, clip];
  const { pruned } = madeOf(root);
  const key = shape.join(' ');
  const known = pruned.get(key) ?? prune(root, options);
  pruned.set(key, known);
  return known;
}
