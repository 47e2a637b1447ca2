import { handleKey, type TreeNode } from '../../../model/tree/node.ts';
import type { DesktopWindow } from '../../../ports/desktop/windows.ts';
import { readWindow } from '../../reading/observe.ts';
import type { MenuRequest } from '../../requests/acting.ts';
import { MAX_NODES } from '../../tree/read-window.ts';
import type { ActingParts } from '../act.ts';
import { isMenuHolder } from './menu-search.ts';

/** A reading of the window. */
export interface Place {
  readonly window: DesktopWindow;
  /** All windows of its application. */
  readonly siblings: readonly DesktopWindow[];
  readonly root: TreeNode;
  readonly complete: boolean;
  /** Reads the same once more. */
  readonly again: () => Promise<Place>;
}

type Look = (parts: ActingParts, request: MenuRequest) => Promise<Place>;

/** Reads everything in the window, which takes long where much is off screen. */
export const lookAtAll: Look = async (parts, request) => {
  const { window, siblings, read } = await readWindow(parts, scopeOf(request, true));
  const { root, complete } = read;
  return { window, siblings, root, complete, again: () => lookAtAll(parts, request) };
};

/** Reads what is on screen, and all that its menu bars and menu buttons contain. */
export const lookAtMenus: Look = async (parts, request) => {
  const { window, siblings, read } = await readWindow(parts, scopeOf(request, false));
  const { deadlineMs, signal } = request;
  const limits = { maxNodes: MAX_NODES, includeActions: false, deadlineMs, signal };
  const holders = holdersIn(read.root);
  const whole = await Promise.all(
    holders.map(({ handle }) => parts.desktop.readTree({ root: handle, wholeTree: true, ...limits })),
  );
  const roots = new Map(whole.map(({ root }) => [handleKey(root.handle), root]));
  return {
    window,
    siblings,
    root: withSubtrees(read.root, roots),
    complete: [read, ...whole].every(({ complete }) => complete),
    again: () => lookAtMenus(parts, request),
  };
};

function scopeOf({ app, window, deadlineMs, signal }: MenuRequest, wholeTree: boolean) {
  return { app, window, wholeTree, deadlineMs, signal };
}

function holdersIn(node: TreeNode): TreeNode[] {
  return isMenuHolder(node) ? [node] : node.children.flatMap(holdersIn);
}

function withSubtrees(node: TreeNode, subtrees: ReadonlyMap<string, TreeNode>): TreeNode {
  const known = subtrees.get(handleKey(node.handle));
  return known ?? { ...node, children: node.children.map((child) => withSubtrees(child, subtrees)) };
}
