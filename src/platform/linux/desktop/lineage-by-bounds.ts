import { intersect, type Bounds } from '../../../model/tree/bounds.ts';
import type { TreeNode } from '../../../model/tree/node.ts';
import type { Role } from '../../../model/tree/role.ts';
import type { Point } from '../../../ports/input.ts';

/** Borders and shadows of a popup around its menu or list. */
const BORDER_PX = 16;
const ITEMS: ReadonlySet<Role> = new Set<Role>(['menu', 'menuitem', 'menuitemcheckbox', 'menuitemradio']);

/**
 * The elements at a point by their reported bounds, innermost first, for applications without hit testing. Empty if two
 * elements overlap there without one containing the other: which is on top is then unknown.
 */
export function lineageByBounds(root: TreeNode, point: Point): readonly TreeNode[] {
  const lineages = deepestAt(root, point, []);
  const [only] = lineages;
  return only !== undefined && lineages.length === 1 ? only : [];
}

/**
 * The same inside a popup, wherever it is in the tree of its window: in the menu or list that fills the popup, or else in
 * an element that lies in the popup although its parent does not, such as the items of a GTK 3 menu.
 */
export function lineageInPopup(root: TreeNode, popup: Bounds, point: Point): readonly TreeNode[] {
  const [filling] = pathsTo(root, ({ bounds }) => bounds !== undefined && fills(bounds, popup));
  if (filling) return lineageFrom(filling, point);
  const [only, ...others] = pathsTo(root, ({ bounds: own }, parent) => {
    const isInside = own !== undefined && contains(own, point) && isWithin(own, popup);
    return isInside && parent?.bounds !== undefined && !contains(parent.bounds, point);
  });
  return only && others.length === 0 ? lineageFrom(only, point) : [];
}

/** Whether a popup is the tooltip of a GTK 4 window: it stands beside the window's content, as large as the popup without its border. */
export function isTooltipOf({ children }: TreeNode, popup: Bounds): boolean {
  return children.some(
    ({ bounds }) =>
      bounds !== undefined &&
      isWithinBorder(popup.width - bounds.width) &&
      isWithinBorder(popup.height - bounds.height),
  );
}

function isWithinBorder(difference: number): boolean {
  return difference >= 0 && difference <= 2 * BORDER_PX;
}

function lineageFrom([innermost, ...around]: readonly TreeNode[], point: Point): readonly TreeNode[] {
  const inside = innermost ? lineageByBounds(innermost, point) : [];
  return inside.length === 0 ? [] : [...inside, ...around];
}

/**
 * The menu item at a point in a popup that no element of the tree fills: in GTK 3 a menu of the bar and its popup are one
 * element, with the bounds of the menu in the bar. Empty if two items overlap there.
 */
export function itemInPopup(root: TreeNode, popup: Bounds, point: Point): readonly TreeNode[] {
  const lineages = pathsTo(
    root,
    ({ role, bounds }) =>
      ITEMS.has(role) &&
      bounds !== undefined &&
      contains(bounds, point) &&
      intersect(bounds, popup)?.height === bounds.height,
  );
  const innermost = lineages.filter(
    ([item]) => !lineages.some((other) => item !== undefined && other.indexOf(item) > 0),
  );
  const [only] = innermost;
  return only !== undefined && innermost.length === 1 ? only : [];
}

/** What fills popups. A box of the window may have the same place as a popup that lies over it. */
const POPPING: ReadonlySet<Role> = new Set<Role>([
  'menu',
  'list',
  'listbox',
  'tree',
  'treegrid',
  'table',
  'grid',
]);

/** Whether a tree contains the menu or list of a popup. */
export function isFilledBy(root: TreeNode, popup: Bounds): boolean {
  return (
    (root.bounds !== undefined && POPPING.has(root.role) && fills(root.bounds, popup)) ||
    root.children.some((child) => isFilledBy(child, popup))
  );
}

/** One lineage for each innermost element that contains the point. Elements without bounds do not hide their children. */
function deepestAt(
  node: TreeNode,
  point: Point,
  around: readonly TreeNode[],
): readonly (readonly TreeNode[])[] {
  const lineage = [node, ...around];
  const inside = node.children.flatMap((child) => deepestAt(child, point, lineage));
  if (inside.length > 0) return inside;
  return node.bounds !== undefined && contains(node.bounds, point) ? [lineage] : [];
}

/** The elements that match, outermost first, each followed by its ancestors. */
function pathsTo(
  node: TreeNode,
  matches: (node: TreeNode, parent: TreeNode | undefined) => boolean,
  around: readonly TreeNode[] = [],
): readonly (readonly TreeNode[])[] {
  const path = [node, ...around];
  return [
    ...(matches(node, around[0]) ? [path] : []),
    ...node.children.flatMap((child) => pathsTo(child, matches, path)),
  ];
}

function contains({ x, y, width, height }: Bounds, point: Point): boolean {
  return point.x >= x && point.y >= y && point.x < x + width && point.y < y + height;
}

function fills(bounds: Bounds, popup: Bounds): boolean {
  return [
    bounds.x - popup.x,
    bounds.y - popup.y,
    popup.x + popup.width - bounds.x - bounds.width,
    popup.y + popup.height - bounds.y - bounds.height,
  ].every((gap) => Math.abs(gap) <= BORDER_PX);
}

function isWithin({ x, y, width, height }: Bounds, popup: Bounds): boolean {
  const { x: left, y: top } = popup;
  return x >= left && y >= top && x + width <= left + popup.width && y + height <= top + popup.height;
}
