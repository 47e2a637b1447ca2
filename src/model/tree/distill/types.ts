import type { OutputNode, TreeNode } from '../node.ts';

/** How a snapshot is rendered; token budgets are counted in this form. */
export type Form = 'outline' | 'json';

/** Gives an element its ref; asked once for each element that is shown, in document order. */
export type AllocateRef = (node: TreeNode) => string;

export interface DistillOptions {
  /** Keep what can be acted on, what holds it together, and what an agent must not miss (see keep-interactive.ts). */
  readonly interactiveOnly: boolean;
  /** Leave out decoration, layout, descriptions, identifiers and bounds (S3 §6.4). */
  readonly compact: boolean;
  /** Keep what is not on screen, marked `hidden` or `offscreen`. */
  readonly wholeTree: boolean;
  readonly includeBounds: boolean;
  readonly includeActions: boolean;
  /** Levels shown below the root, counted after distillation; absent for all. */
  readonly maxDepth?: number | undefined;
  /** Ref the root already has, such as its window's `@w1`. */
  readonly rootRef?: string | undefined;
  /** Upper bound for the rendered tree in tokens; `form` says which rendering. Applied before refs are given out. */
  readonly budget?: { readonly maxTokens: number; readonly form: Form } | undefined;
  /** False for toolkits that mark what is scrolled out of view themselves. Default true: elements outside their container's box are off screen. */
  readonly clip?: boolean | undefined;
}

export interface DistilledTree {
  readonly root: OutputNode;
  /** The element as the adapter read it, for every node shown. */
  readonly sources: Map<OutputNode, TreeNode>;
  /** Elements left out by depth, budget or the adapter's limits; not those that distillation found to say nothing. */
  readonly elided: number;
  /** Nodes with a ref, the root's own not counted when it was given. */
  readonly refCount: number;
}
