import { needsRef } from '../distill/assign-refs.ts';
import type { Form } from '../distill/types.ts';
import type { OutputNode } from '../node.ts';
import { isSilent, joins, outlineEntry, outlineLine, renderOutline } from '../outline.ts';
import { estimateTokens } from '../tokens/estimate-tokens.ts';
import { stringifyVisibly } from '../../text/untrusted-text.ts';

/** Used for refs that are not assigned yet; no ref costs more tokens. */
const WIDEST_REF = '@e999999';

/** A node with its position in the tree. */
export interface Placed {
  readonly node: OutputNode;
  readonly parent: Placed | undefined;
  /** The child before it, whose line it may share. */
  readonly before: OutputNode | undefined;
  readonly depth: number;
  /** Position in document order. */
  readonly order: number;
  readonly children: Placed[];
  /** Number of elements in this sub-tree, including those already left out. */
  size: number;
  /** Children not chosen; all of them at first. */
  missing: number;
  chosen: boolean;
  plainCost: number | undefined;
  markedCost: number | undefined;
}

export function place(root: OutputNode): { root: Placed; all: Placed[] } {
  const all: Placed[] = [];
  const visit = (
    node: OutputNode,
    parent: Placed | undefined,
    { depth, before }: { readonly depth: number; readonly before: OutputNode | undefined },
  ): Placed => {
    const placed: Placed = {
      node,
      parent,
      before,
      depth,
      order: all.length,
      children: [],
      size: 1 + (node.elided ?? 0),
      missing: node.children?.length ?? 0,
      chosen: false,
      plainCost: undefined,
      markedCost: undefined,
    };
    all.push(placed);
    // A box that is not shown does not indent.
    const inner = isSilent(node) ? depth : depth + 1;
    let previous: OutputNode | undefined;
    for (const child of node.children ?? []) {
      const below = visit(child, placed, { depth: inner, before: previous });
      previous = child;
      placed.children.push(below);
      placed.size += below.size;
    }
    return placed;
  };
  return { root: visit(root, undefined, { depth: 0, before: undefined }), all };
}

/** Tokens that showing this node adds, with or without a note that something below it was left out; cached. */
export function cost(placed: Placed, marked: boolean, form: Form): number {
  const known = marked ? placed.markedCost : placed.plainCost;
  if (known !== undefined) return known;
  const computed = computeCost(placed, marked, form);
  if (marked) placed.markedCost = computed;
  else placed.plainCost = computed;
  return computed;
}

function computeCost(placed: Placed, marked: boolean, form: Form): number {
  const shown = own(placed.node);
  if (marked) mark(shown, placed.size - 1);
  withWidestRef(shown);
  if (form === 'outline') {
    if (!marked && isSilent(placed.node)) return 0;
    if (!marked && joins(placed.before, placed.node)) return estimateTokens(` ${outlineEntry(shown)}`);
    return estimateTokens(outlineLine(shown, placed.depth));
  }
  const wrapper = placed.children.length > 0 ? ',"children":[]' : '';
  return estimateTokens(stringifyVisibly(shown) + wrapper) + 1;
}

/** The tree of the chosen nodes; each left-out sub-tree is counted in its parent. `copied` is called for every copy. */
export function chosenTree(
  placed: Placed,
  copied: (copy: OutputNode, original: OutputNode) => void,
): OutputNode {
  const copy = own(placed.node);
  copied(copy, placed.node);
  const left = placed.children.filter((child) => !child.chosen);
  if (left.length > 0)
    mark(
      copy,
      left.reduce((sum, child) => sum + child.size, placed.node.elided ?? 0),
    );
  const kept = placed.children.filter((child) => child.chosen);
  if (kept.length > 0) copy.children = kept.map((child) => chosenTree(child, copied));
  return copy;
}

/** What the budget counts: the outline, or the tree as JSON on one line; refs not assigned yet count with the longest form. */
export function renderedTokens(root: OutputNode, form: Form): number {
  const filled = withWidestRefs(root);
  return estimateTokens(form === 'outline' ? renderOutline(filled) : stringifyVisibly(filled));
}

function own(node: OutputNode): OutputNode {
  const { children: _children, ...fields } = node;
  return fields;
}

function mark(node: OutputNode, count: number): void {
  node.elided = count;
  node.elided_reason = 'budget';
}

function withWidestRef(node: OutputNode): OutputNode {
  if (node.ref === undefined && needsRef(node)) node.ref = WIDEST_REF;
  return node;
}

function withWidestRefs(node: OutputNode): OutputNode {
  const copy = withWidestRef(own(node));
  if (node.children !== undefined) copy.children = node.children.map(withWidestRefs);
  return copy;
}
