import type { NodeDetails } from '../../ports/desktop/elements.ts';
import type { DesktopWindow } from '../../ports/desktop/windows.ts';
import { handleKey, type NodeHandle, type TreeNode } from '../../model/tree/node.ts';

/** Windows whose last tree is kept; acts and snapshots keep the trees of few windows alive anyway. */
const MOST_WINDOWS = 8;
/** Elements that the journal itself asked about. */
const MOST_DESCRIBED = 500;

/** An element as it was read last. */
export interface KnownElement {
  readonly node: Omit<TreeNode, 'children'>;
  /** When the reading began. */
  readonly atMs: number;
  readonly window?: DesktopWindow | undefined;
  /** The tree it is in, if a whole window was read. */
  readonly root?: TreeNode | undefined;
}

interface LearntWindow {
  readonly window: DesktopWindow;
  readonly root: TreeNode;
  readonly atMs: number;
}

/** Platforms return the same tree again as long as nothing in it changes. */
const indexes = new WeakMap<TreeNode, ReadonlyMap<string, TreeNode>>();

/** What readings found out about elements. It makes no calls itself. */
export class KnownElements {
  private readonly windows = new Map<string, LearntWindow>();
  private readonly described = new Map<string, KnownElement>();

  /** A window was read; `atMs` is when that began. */
  learn(window: DesktopWindow, root: TreeNode, atMs: number): void {
    this.windows.delete(window.id);
    this.windows.set(window.id, { window, root, atMs });
    dropOldest(this.windows, MOST_WINDOWS);
  }

  describe(handle: NodeHandle, node: NodeDetails, atMs: number): void {
    const key = handleKey(handle);
    const known = this.find(handle);
    this.described.delete(key);
    // Only the tree tells the name that an element has from its label.
    const name = node.name === '' ? (known?.node.name ?? '') : node.name;
    this.described.set(key, { node: { ...node, name }, atMs, window: known?.window, root: known?.root });
    dropOldest(this.described, MOST_DESCRIBED);
  }

  /** The latest reading of an element. Its tree is searched only now, once. */
  find(handle: NodeHandle): KnownElement | undefined {
    const key = handleKey(handle);
    let found = this.described.get(key);
    for (const { window, root, atMs } of this.windows.values()) {
      if (root.handle.app !== handle.app) continue;
      const node = indexOf(root).get(key);
      if (node !== undefined && (found === undefined || found.atMs <= atMs))
        found = { node, atMs, window, root };
    }
    return found;
  }
}

function indexOf(root: TreeNode): ReadonlyMap<string, TreeNode> {
  const known = indexes.get(root);
  if (known !== undefined) return known;
  const index = new Map<string, TreeNode>();
  const open = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    index.set(handleKey(node.handle), node);
    open.push(...node.children);
  }
  indexes.set(root, index);
  return index;
}

function dropOldest(map: Map<string, unknown>, most: number): void {
  for (const [oldest] of map) {
    if (map.size <= most) return;
    map.delete(oldest);
  }
}
