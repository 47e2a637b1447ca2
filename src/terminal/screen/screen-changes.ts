import { handleKey, type TreeNode } from '../../model/tree/node.ts';
import type { DesktopEvent } from '../../ports/desktop/events.ts';

/** Known elements, including removed ones; beyond that all are forgotten. */
const MAX_KNOWN = 2000;

/**
 * Derives the events that a toolkit would send between two screens, for each element that changed, appeared or disappeared. Programs clear the screen
 * to redraw it, so an element that reappears is compared with its last state.
 */
export class ScreenComparer {
  private last: Map<string, Placed>;
  private known: Map<string, TreeNode>;

  constructor(root: TreeNode) {
    this.last = indexOf(root);
    this.known = new Map();
    this.remember();
  }

  /** @param atMs the time of the events */
  next(root: TreeNode, atMs: number): DesktopEvent[] {
    const [was, is] = [this.last, indexOf(root)];
    const events: DesktopEvent[] = [];
    const emit: Emit = (node, kind, detail) => events.push({ kind, node: node.handle, detail, atMs });
    for (const [key, { node, parent }] of is) {
      if (!was.has(key) && parent !== undefined) emit(parent, 'children-changed', 'add');
      const old = this.known.get(key);
      if (old !== undefined) compare(old, node, emit);
    }
    for (const [key, { parent }] of was)
      if (!is.has(key) && parent !== undefined) emit(parent, 'children-changed', 'remove');
    this.last = is;
    this.remember();
    return events;
  }

  private remember(): void {
    if (this.known.size > MAX_KNOWN) this.known.clear();
    for (const [key, { node }] of this.last) this.known.set(key, node);
  }
}

type Emit = (node: TreeNode, kind: DesktopEvent['kind'], detail: string) => void;

function compare(old: TreeNode, node: TreeNode, emit: Emit): void {
  if (old.name !== node.name) {
    const isTitle = node.role === 'terminal';
    emit(node, isTitle ? 'window-changed' : 'name-changed', 'name');
    if (!isTitle) emit(node, 'text-changed', 'text');
  }
  for (const state of new Set([...old.states, ...node.states])) {
    const has = node.states.includes(state);
    if (has === old.states.includes(state)) continue;
    emit(node, state === 'focused' ? 'focus-changed' : 'state-changed', `${state}=${Number(has)}`);
  }
  if (old.caret !== undefined && node.caret !== undefined && old.caret !== node.caret)
    emit(node, 'state-changed', 'caret');
  if (old.nativeRole !== node.nativeRole || old.description !== node.description)
    emit(node, 'state-changed', 'description');
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
