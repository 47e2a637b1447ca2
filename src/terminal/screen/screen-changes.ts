import { handleKey } from '../../model/tree/node.ts';
import type { TreeNode } from '../../model/tree/node.ts';
import type { DesktopEvent } from '../../ports/desktop.ts';

/** Elements that are remembered after they have gone; beyond that all of them are forgotten. */
const MOST_KNOWN = 2000;

/**
 * What a toolkit would tell of the way from one screen to the next: of each element that changed, came or went. Programs clear the screen to draw
 * it anew: what comes back is compared with what it was before it went.
 */
export class ScreenComparer {
  private last: Map<string, Placed>;
  private known: Map<string, TreeNode>;

  constructor(root: TreeNode) {
    this.last = indexOf(root);
    this.known = new Map();
    this.remember();
  }

  /** @param atMs the time that the events are to bear */
  next(root: TreeNode, atMs: number): DesktopEvent[] {
    const [was, is] = [this.last, indexOf(root)];
    const events: DesktopEvent[] = [];
    const tell: Tell = (node, kind, detail) => events.push({ kind, node: node.handle, detail, atMs });
    for (const [key, { node, parent }] of is) {
      if (!was.has(key) && parent !== undefined) tell(parent, 'children-changed', 'add');
      const old = this.known.get(key);
      if (old !== undefined) compare(old, node, tell);
    }
    for (const [key, { parent }] of was)
      if (!is.has(key) && parent !== undefined) tell(parent, 'children-changed', 'remove');
    this.last = is;
    this.remember();
    return events;
  }

  private remember(): void {
    if (this.known.size > MOST_KNOWN) this.known.clear();
    for (const [key, { node }] of this.last) this.known.set(key, node);
  }
}

type Tell = (node: TreeNode, kind: DesktopEvent['kind'], detail: string) => void;

function compare(old: TreeNode, node: TreeNode, tell: Tell): void {
  if (old.name !== node.name) {
    const isTitle = node.role === 'terminal';
    tell(node, isTitle ? 'window-changed' : 'name-changed', 'name');
    if (!isTitle) tell(node, 'text-changed', 'text');
  }
  for (const state of new Set([...old.states, ...node.states])) {
    const has = node.states.includes(state);
    if (has === old.states.includes(state)) continue;
    tell(node, state === 'focused' ? 'focus-changed' : 'state-changed', `${state}=${Number(has)}`);
  }
  if (old.caret !== undefined && node.caret !== undefined && old.caret !== node.caret)
    tell(node, 'state-changed', 'caret');
  if (old.nativeRole !== node.nativeRole || old.description !== node.description)
    tell(node, 'state-changed', 'description');
}

interface Placed {
  readonly node: TreeNode;
  readonly parent: TreeNode | undefined;
}

function indexOf(root: TreeNode): Map<string, Placed> {
  const index = new Map<string, Placed>();
  const visit = (node: TreeNode, parent: TreeNode | undefined): void => {
    index.set(handleKey(node.handle), { node, parent });
    for (const child of node.children) visit(child, node);
  };
  visit(root, undefined);
  return index;
}
