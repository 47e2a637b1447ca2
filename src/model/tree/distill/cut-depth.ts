import type { Draft, Pass } from './draft.ts';

/** `--max-depth`: deeper elements are counted, and their container gets a ref for reading them. */
export const cutDepth: Pass = (root, options) => {
  if (options.maxDepth !== undefined) cut(root, Math.max(0, options.maxDepth));
};

function cut(node: Draft, levels: number): void {
  if (levels > 0) {
    for (const child of node.children) cut(child, levels - 1);
    return;
  }
  if (node.children.length === 0) return;
  node.elided += node.children.reduce((sum, child) => sum + countAll(child), 0);
  node.elidedReason = 'depth';
  node.children = [];
}

function countAll(node: Draft): number {
  return node.children.reduce((sum, child) => sum + countAll(child), 1 + node.elided);
}
