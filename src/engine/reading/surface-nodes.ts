import { intersect, type Bounds } from '../../model/tree/bounds.ts';
import { isInteractive, roleSet, shownRole } from '../../model/tree/role.ts';
import type { SurfaceKind } from '../../model/refs/surface.ts';
import type { TreeNode } from '../../model/tree/node.ts';
import { isDroppedDown, showsItsList } from '../tree/dropped-down.ts';
import { isInView } from '../tree/element-states.ts';

/** Something open in the tree of a window. */
export interface SurfaceNode {
  readonly kind: SurfaceKind;
  readonly node: TreeNode;
  readonly title: string;
  /** The surface it is in. */
  readonly inside: SurfaceNode | undefined;
}

/** What the display shows over windows: a menu, a list, a tooltip. */
export interface ShownPopup {
  readonly pid?: number | undefined;
  readonly bounds: Bounds;
  readonly isTooltip: boolean;
}

const ITEMS = roleSet('menuitem', 'menuitemcheckbox', 'menuitemradio', 'menu');
const DIALOGS = roleSet('dialog', 'alertdialog');
const PANELS = roleSet('generic', 'group');
const LISTS = roleSet('list', 'listbox', 'menu', 'table', 'tree', 'treegrid');
/** How deep the items of a menu may be in groups: GTK 4 nests them. */
const MOST_GROUPS = 8;
/** Share of a popup that what is drawn in it covers; the rest may be its shadow. */
const MOST_OF_IT = 0.5;
/** A border may be drawn around a popup, or outside it. */
const BORDER = 8;

/** Everything open in the tree of a window, the outer before the inner. What only fills a dialog, such as a file chooser, is no other one. */
export function surfacesIn(root: TreeNode): readonly SurfaceNode[] {
  const found: SurfaceNode[] = [];
  const open: {
    readonly node: TreeNode;
    readonly parent: TreeNode;
    readonly inside: SurfaceNode | undefined;
  }[] = root.children.map((node) => ({ node, parent: root, inside: undefined })).toReversed();
  // Trees may be deeper than the stack.
  for (let entry = open.pop(); entry; entry = open.pop()) {
    const { node, parent, inside } = entry;
    const kind = fillsDialog(node, root)
      ? undefined
      : (kindOf(node) ?? (parent === root && isDrawnOver(node, root) ? 'popover' : undefined));
    let around = inside;
    if (kind !== undefined) {
      const part = kind === 'list' ? (listIn(node) ?? node) : node;
      around = { kind, node: part, title: titleOf(node, parent), inside };
      found.push(around);
    }
    // The list of a combo box may be made like a menu.
    if (kind === 'list') continue;
    for (const child of node.children.toReversed()) open.push({ node: child, parent: node, inside: around });
  }
  return found;
}

/** The element that is drawn in a popup of the display: the outermost that fits into it and fills most of it. */
export function nodeInPopup(roots: readonly TreeNode[], popup: Bounds): TreeNode | undefined {
  const open = roots.flatMap(({ children }) => children).toReversed();
  for (let node = open.pop(); node; node = open.pop()) {
    const { bounds } = node;
    if (bounds !== undefined && isInView(node) && fills(bounds, popup)) return node;
    open.push(...node.children.toReversed());
  }
  return undefined;
}

/** Whether two places are the same but for borders and shadows. */
export function fills(bounds: Bounds, popup: Bounds): boolean {
  const around = {
    x: popup.x - BORDER,
    y: popup.y - BORDER,
    width: popup.width + 2 * BORDER,
    height: popup.height + 2 * BORDER,
  };
  const part = intersect(bounds, around);
  if (part === undefined || part.width < bounds.width || part.height < bounds.height) return false;
  return bounds.width * bounds.height >= MOST_OF_IT * popup.width * popup.height;
}

/** The kind of what is drawn in a popup that its tree does not name as one. */
export function kindOfPopup(node: TreeNode | undefined, { isTooltip }: ShownPopup): SurfaceKind {
  if (isTooltip) return 'tooltip';
  if (node === undefined) return 'popover';
  return (
    kindOf(node) ??
    (ITEMS.has(node.role) || holdsItems(node) ? 'menu' : LISTS.has(node.role) ? 'list' : 'popover')
  );
}

/** How many elements that show can be used. */
export function usableInside(node: TreeNode): number {
  let count = 0;
  const open = [node];
  for (let parent = open.pop(); parent; parent = open.pop()) {
    for (const child of parent.children)
      if (isInteractive(shownRole(child, parent.role)) && isInView(child)) count += 1;
    open.push(...parent.children);
  }
  return count;
}

function kindOf(node: TreeNode): SurfaceKind | undefined {
  if (!hasPlace(node) && node.role !== 'menu') return undefined;
  if (node.role === 'tooltip') return 'tooltip';
  if (DIALOGS.has(node.role)) return 'sheet';
  if (node.role === 'menu') return holdsItems(node) ? 'menu' : undefined;
  return isDroppedDown(node) || showsItsList(node) ? 'list' : undefined;
}

/** Whether items show in a menu: a closed one has none, or hides them. */
function holdsItems(node: TreeNode, depth = 0): boolean {
  return node.children.some(
    (child) =>
      (ITEMS.has(child.role) && isInView(child)) ||
      (depth < MOST_GROUPS && !ITEMS.has(child.role) && holdsItems(child, depth + 1)),
  );
}

function fillsDialog(node: TreeNode, root: TreeNode): boolean {
  const isWithin = DIALOGS.has(root.role) && DIALOGS.has(node.role) && !node.states.includes('modal');
  return (
    isWithin && node.bounds !== undefined && root.bounds !== undefined && fills(node.bounds, root.bounds)
  );
}

/** GTK 3 draws popovers in their window, last, over what else is in it. */
function isDrawnOver(node: TreeNode, root: TreeNode): boolean {
  const { bounds } = node;
  if (!PANELS.has(node.role) || bounds === undefined || !hasPlace(node) || usableInside(node) === 0)
    return false;
  const before = root.children.slice(0, root.children.indexOf(node));
  return before.some((other) => other.bounds !== undefined && isWellWithin(bounds, other.bounds));
}

/** Whether a place is in a larger one, but for a border. */
function isWellWithin(inner: Bounds, outer: Bounds): boolean {
  const part = intersect(inner, outer);
  const areaOf = ({ width, height }: Bounds): number => width * height;
  return part !== undefined && areaOf(part) >= 0.9 * areaOf(inner) && areaOf(inner) < 0.8 * areaOf(outer);
}

function hasPlace(node: TreeNode): boolean {
  const { bounds } = node;
  return isInView(node) && bounds !== undefined && bounds.width > 1 && bounds.height > 1;
}

function listIn(combobox: TreeNode): TreeNode | undefined {
  const open = combobox.children.toReversed();
  for (let node = open.pop(); node; node = open.pop()) {
    if (LISTS.has(node.role) && isInView(node)) return node;
    open.push(...node.children.toReversed());
  }
  return undefined;
}

/** Its own name, or that of the entry which opened it. */
function titleOf(node: TreeNode, parent: TreeNode): string {
  if (node.name !== '') return node.name;
  return OPENERS.has(parent.role) ? parent.name : '';
}

const OPENERS = roleSet('button', 'combobox', 'menuitem', 'togglebutton', 'menu');
