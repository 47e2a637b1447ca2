import type { OutputNode, TreeNode } from '../../src/model/tree/node.ts';
import type { Role } from '../../src/model/tree/role.ts';
import { distill, type DistillOptions, type DistilledTree } from '../../src/model/tree/distill/distill.ts';
import { outlineLine } from '../../src/model/tree/outline.ts';

let serial = 0;

/** A raw node as an adapter would read it; everything but the role has a plain default. */
export function raw(
  role: Role,
  name = '',
  fields: Partial<TreeNode> = {},
  children: TreeNode[] = [],
): TreeNode {
  serial += 1;
  return {
    handle: { app: ':1.1', path: `/${serial}` },
    role,
    nativeRole: role,
    name,
    states: [],
    ...fields,
    children,
  };
}

export const PLAIN: DistillOptions = {
  interactiveOnly: false,
  compact: false,
  wholeTree: false,
  includeBounds: false,
  includeActions: false,
};
export const COMPACT: DistillOptions = { ...PLAIN, compact: true };
export const INTERACTIVE: DistillOptions = { ...COMPACT, interactiveOnly: true };

/** Numbers refs from 1 in the order of requests, like a new session. */
export function counter(): (node: TreeNode) => string {
  let last = 0;
  return () => {
    last += 1;
    return `@e${last}`;
  };
}

export function distilled(root: TreeNode, options: Partial<DistillOptions> = {}): DistilledTree {
  return distill(root, { ...PLAIN, ...options }, counter());
}

/** A line for each element, boxes included, which outlines join and leave out. */
export function lines(root: TreeNode, options: Partial<DistillOptions> = {}): string[] {
  const all: string[] = [];
  const visit = (node: OutputNode, depth: number): void => {
    all.push(outlineLine(node, depth).trimEnd());
    for (const child of node.children ?? []) visit(child, depth + 1);
  };
  visit(distilled(root, options).root, 0);
  return all;
}
