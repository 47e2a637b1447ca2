import type { OutputNode } from '../node.ts';
import { isInteractive } from '../role.ts';
import type { AllocateRef, DistilledTree } from './types.ts';

/** Whether a node of a snapshot gets a ref: an interactive element, what has the focus, or one with elements left out below it or off screen. */
export function needsRef(node: OutputNode): boolean {
  return isTarget(node) || isFocus(node);
}

function isTarget(node: OutputNode): boolean {
  return (
    isInteractive(node.role) ||
    isDrillHandle(node) ||
    node.elided_reason === 'undescribed' ||
    node.offscreen !== undefined
  );
}

/** What has the keyboard focus, whatever its role: a canvas, a document. Containers of it may be reported as focused, too. */
function isFocus(node: OutputNode): boolean {
  return node.states?.includes('focused') === true && !(node.children ?? []).some(holdsFocus);
}

function holdsFocus({ states, children = [] }: OutputNode): boolean {
  return states?.includes('focused') === true || children.some(holdsFocus);
}

/** Whether reading this node's sub-tree again may show more. */
export function isDrillHandle(node: OutputNode): boolean {
  const { elided_reason: reason } = node;
  return reason !== undefined && reason !== 'cycle' && reason !== 'undescribed';
}

/** Assigns refs in document order to nodes that need one; the last step, because numbers are never reused. */
export function assignRefs(tree: DistilledTree, allocateRef: AllocateRef): DistilledTree {
  let refCount = 0;
  const lasts = new Set(tree.cuts?.map(({ after }) => after));
  const assign = (node: OutputNode): void => {
    const source = tree.sources.get(node);
    const given = node.ref !== undefined && node === tree.root;
    // The keys of a terminal go to it, not to a row of its screen.
    const needs = lasts.has(node) || (needsRef(node) && (source?.source === undefined || isTarget(node)));
    if (node.ref === undefined && needs && source !== undefined) node.ref = allocateRef(source);
    if (node.ref !== undefined && source?.source !== undefined) node.source = source.source;
    if (node.ref !== undefined && !given) refCount += 1;
    for (const child of node.children ?? []) assign(child);
  };
  assign(tree.root);
  return { ...tree, refCount };
}
