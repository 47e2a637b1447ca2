import type { NodeDetails } from '../../ports/desktop/elements.ts';
import type { DesktopWindow } from '../../ports/desktop/windows.ts';
import { roleSet } from '../../model/tree/role.ts';
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
  /** The field that this is the shown text of, such as a combo box. */
  readonly owner?: TreeNode | undefined;
  /** What is known of it and in it says that keys can be typed into it. */
  readonly isEditable?: boolean | undefined;
}

interface LearntWindow {
  readonly window: DesktopWindow;
  readonly root: TreeNode;
  readonly atMs: number;
}

interface Placed {
  readonly node: TreeNode;
  readonly owner: TreeNode | undefined;
}

/** Platforms return the same tree again as long as nothing in it changes. */
const indexes = new WeakMap<TreeNode, ReadonlyMap<string, Placed>>();

/** Fields that some toolkits show the value of by a text in them. */
const OWNERS = roleSet('combobox', 'slider', 'progressbar');
/** How deep in it that text is. */
const MOST_LEVELS = 8;
/** What is in these is something to choose, and not what was chosen. */
const CHOICES = roleSet('list', 'listbox', 'menu', 'table', 'tree');

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
    const { window, root, owner, isEditable } = known ?? {};
    this.described.set(key, { node: asInTree(node, known?.node), atMs, window, root, owner, isEditable });
    dropOldest(this.described, MOST_DESCRIBED);
  }

  /** The latest reading of an element. Its tree is searched only now, once. */
  find(handle: NodeHandle): KnownElement | undefined {
    const key = handleKey(handle);
    let found = this.described.get(key);
    for (const { window, root, atMs } of this.windows.values()) {
      if (root.handle.app !== handle.app) continue;
      const placed = indexOf(root).get(key);
      if (placed !== undefined && (found === undefined || found.atMs <= atMs)) {
        const { node, owner } = placed;
        found = { node, atMs, window, root, owner, isEditable: takesKeys(node) };
      }
    }
    return found;
  }
}

/** A single element does not tell the name that it has from its label; of a combo box, it may tell what is chosen instead. */
function asInTree(node: NodeDetails, known: KnownElement['node'] | undefined): KnownElement['node'] {
  const { name } = node;
  if (name === '') return { ...node, name: known?.name ?? '' };
  if (node.role !== 'combobox' || known === undefined) return node;
  return { ...node, name: known.name, value: node.value ?? node.text ?? name };
}

/** Into a combo box, if there is a field in it. */
function takesKeys({ role, states, children }: TreeNode): boolean {
  if (states.includes('editable')) return true;
  return role === 'combobox' && children.some((child) => child.states.includes('editable'));
}

function indexOf(root: TreeNode): ReadonlyMap<string, Placed> {
  const known = indexes.get(root);
  if (known !== undefined) return known;
  const index = new Map<string, Placed>();
  const open: { readonly node: TreeNode; readonly owner: TreeNode | undefined; readonly level: number }[] = [
    { node: root, owner: undefined, level: 0 },
  ];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, owner, level } = next;
    index.set(handleKey(node.handle), { node, owner: node.role === 'text' ? owner : undefined });
    const isOwner = OWNERS.has(node.role);
    const isWithin = level < MOST_LEVELS && !CHOICES.has(node.role);
    const inner = isOwner ? node : isWithin ? owner : undefined;
    for (const child of node.children)
      open.push({ node: child, owner: inner, level: isOwner ? 1 : level + 1 });
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
