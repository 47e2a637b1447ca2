import type { TreeNode } from '../../model/tree/node.ts';
import type { CallOptions } from '../../ports/call-options.ts';
import type { DesktopPort } from '../../ports/desktop/desktop.ts';
import type { DesktopWindow } from '../../ports/desktop/windows.ts';
import { isInView } from '../tree/element-states.ts';
import { readWindowTree } from '../tree/read-window.ts';

/** What is known of the trees of these windows; those that cannot be read are left out. */
export async function readTrees(
  desktop: DesktopPort,
  windows: readonly DesktopWindow[],
  options: CallOptions,
): Promise<readonly TreeNode[]> {
  const { deadlineMs, signal } = options;
  const request = { deadlineMs, signal, wholeTree: false, mirrored: true };
  const read = await Promise.all(
    windows
      .filter(({ root, minimized }) => root !== undefined && !minimized)
      .map((window) => readWindowTree(desktop, window, request).catch(() => undefined)),
  );
  return read.flatMap((tree) => (tree === undefined ? [] : [tree.root]));
}

/** An element on screen that says itself that it is busy, such as a page that is loading. */
export function busyElement(roots: readonly TreeNode[]): TreeNode | undefined {
  return elementsOf(roots).find((node) => node.states.includes('busy') && isInView(node));
}

/** All elements; iterative because trees may be deeper than the stack. */
export function elementsOf(roots: readonly TreeNode[]): readonly TreeNode[] {
  const found: TreeNode[] = [];
  const open = [...roots];
  for (let node = open.pop(); node; node = open.pop()) {
    found.push(node);
    open.push(...node.children);
  }
  return found;
}
