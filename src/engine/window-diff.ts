import type { Change } from '../model/effect.ts';
import type { TreeNode } from '../model/node.ts';
import type { DesktopWindow } from '../ports/desktop.ts';
import { handleKey } from './ref-table.ts';

/** A change with the element it concerns, so that a ref can be given. */
export interface ObservedChange {
  readonly change: Change;
  readonly node: TreeNode | undefined;
  /** {@link handleKey} of the element, for matching it with events. */
  readonly key: string;
}

/** More changes than this say "everything changed". */
const MAX_CHANGES = 20;
/** States that come and go with the pointer and the window's activation: no effect of an act. */
const RESTLESS = new Set(['active', 'hovered', 'busy']);

/** What is different between two readings of one window. Elements are the same when their native object is. */
export function diffTrees(before: TreeNode | undefined, after: TreeNode | undefined): ObservedChange[] {
  const old = collect(before);
  const now = collect(after);
  const changes: ObservedChange[] = [];
  for (const [key, node] of now) {
    const previous = old.get(key);
    if (previous) changes.push(...differences(previous, node, key));
    else if (isWorthTelling(node))
      changes.push({ change: { kind: 'appeared', ...describe(node) }, node, key });
  }
  for (const [key, node] of old) {
    if (!now.has(key) && isWorthTelling(node))
      changes.push({ change: { kind: 'disappeared', ...describe(node) }, node: undefined, key });
  }
  return changes.slice(0, MAX_CHANGES);
}

/** A window that came or went, and whose it is. */
export interface WindowChange {
  readonly change: Change;
  readonly pid: number;
}

export function diffWindows(
  before: readonly DesktopWindow[],
  after: readonly DesktopWindow[],
): WindowChange[] {
  const old = new Set(before.map((window) => window.id));
  const now = new Set(after.map((window) => window.id));
  const tell = (kind: 'window_opened' | 'window_closed', { title, pid }: DesktopWindow): WindowChange => ({
    change: { kind, role: 'window', name: title },
    pid,
  });
  return [
    ...after.filter((window) => !old.has(window.id)).map((window) => tell('window_opened', window)),
    ...before.filter((window) => !now.has(window.id)).map((window) => tell('window_closed', window)),
  ];
}

function differences(before: TreeNode, after: TreeNode, key: string): ObservedChange[] {
  const found: ObservedChange[] = [];
  const tell = (from: string, to: string): void => {
    found.push({
      change: { kind: 'changed', ...describe(after), before: from, after: to },
      node: after,
      key,
    });
  };
  if (before.name !== after.name)
    tell(`name ${JSON.stringify(clip(before.name))}`, `name ${JSON.stringify(clip(after.name))}`);
  if ((before.value ?? '') !== (after.value ?? ''))
    tell(
      `value ${JSON.stringify(clip(before.value ?? ''))}`,
      `value ${JSON.stringify(clip(after.value ?? ''))}`,
    );
  const lost = before.states.filter((state) => !RESTLESS.has(state) && !after.states.includes(state));
  const gained = after.states.filter((state) => !RESTLESS.has(state) && !before.states.includes(state));
  const isFocusOnly = [...lost, ...gained].every((state) => state === 'focused');
  if (gained.includes('focused') && isFocusOnly)
    found.push({ change: { kind: 'focus', ...describe(after) }, node: after, key });
  else if (!isFocusOnly) tell(lost.join(' ') || 'none', gained.join(' ') || 'none');
  return found;
}

function collect(root: TreeNode | undefined): Map<string, TreeNode> {
  const nodes = new Map<string, TreeNode>();
  const visit = (node: TreeNode): void => {
    nodes.set(handleKey(node.handle), node);
    node.children.forEach(visit);
  };
  if (root) visit(root);
  return nodes;
}

function isWorthTelling(node: TreeNode): boolean {
  return node.name !== '' || (node.value ?? '') !== '';
}

function describe(node: TreeNode): { role: string; name?: string } {
  return { role: node.role, ...(node.name === '' ? {} : { name: clip(node.name) }) };
}

function clip(text: string): string {
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
}
