import type { OutputNode, TreeNode } from '../node.ts';

/** How a snapshot is rendered; token budgets are counted in this form. */
export type Form = 'outline' | 'json';

/** Assigns a ref to an element; called once for each shown element, in document order. */
export type AllocateRef = (node: TreeNode) => string;

export interface DistillOptions {
  /** Keep interactive elements, their structure, and messages (see keep-interactive.ts). */
  readonly interactiveOnly: boolean;
  /** Leave out decoration, layout, descriptions, identifiers and bounds. */
  readonly compact: boolean;
  /** Keep elements that are not on screen, marked `hidden` or `offscreen`. */
  readonly wholeTree: boolean;
  readonly includeBounds: boolean;
  readonly includeActions: boolean;
  /** Levels shown below the root, counted after distillation; absent for all. */
  readonly maxDepth?: number | undefined;
  /** Ref the root already has, such as its window's `@w1`. */
  readonly rootRef?: string | undefined;
  /** Upper bound for the tree in tokens, rendered as `form`. Applied before refs are assigned. */
  readonly budget?: { readonly maxTokens: number; readonly form: Form } | undefined;
  /** Upper bound for the tree in bytes, in the form that is printed. */
  readonly longest?: { readonly maxBytes: number; readonly form: Form } | undefined;
  /** False for toolkits that mark scrolled-out elements themselves. Default true: elements outside their container's bounds are off screen. */
  readonly clip?: boolean | undefined;
}

/** A container whose last elements did not fit into the answer. */
export interface CutPlace {
  readonly root: OutputNode;
  /** The last of its elements that is shown, if any is. */
  readonly after: OutputNode | undefined;
  readonly elided: number;
}

export interface DistilledTree {
  readonly root: OutputNode;
  /** The element as the adapter read it, for every node shown. */
  readonly sources: Map<OutputNode, TreeNode>;
  /** Elements left out by depth, budget or the adapter's limits; not those that distillation removed. */
  readonly elided: number;
  /** Nodes with a ref, not counting a given ref of the root. */
  readonly refCount: number;
  /** Where reading goes on, innermost first, if the answer would have been too long. */
  readonly cuts?: readonly CutPlace[] | undefined;
}
