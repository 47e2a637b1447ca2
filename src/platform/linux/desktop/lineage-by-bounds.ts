import { intersect } from '../../../model/tree/bounds.ts';
import type { Bounds } from '../../../model/tree/bounds.ts';
import type { TreeNode } from '../../../model/tree/node.ts';
import type { Role } from '../../../model/tree/role.ts';
import type { Point } from '../../../ports/input.ts';

/** Borders and shadows of a popup that are no part of its menu or list. */
const BORDER_PX = 16;
const ITEMS: ReadonlySet<Role> = new Set<Role>(['menu', 'menuitem', 'menuitemcheckbox', 'menuitemradio']);

/**
 * The elements at a place by where they say they are, innermost first, for applications that cannot be asked. Empty where two that are not in
 * each other claim the place: nobody can tell then which one is on top.
 */
export function lineageByBounds(root: TreeNode, point: Point): readonly TreeNode[] {
  const lineages = deepestAt(root, point, []);
  const [only] = lineages;
  return only !== undefined && lineages.length === 1 ? only : [];
}

/**
 * The same inside a popup, wherever in the tree of its window that is: in the menu or list that fills it, or else in what lies in the popup
 * though what it is in does not, like the items of a menu of GTK 3.
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

function lineageFrom([innermost, ...around]: readonly TreeNode[], point: Point): readonly TreeNode[] {
  const inside = innermost ? lineageByBounds(innermost, point) : [];
  return inside.length === 0 ? [] : [...inside, ...around];
}

/**
 * The menu item at a place in a popup that no element of its tree fills: to GTK 3 a menu of the bar and what opens below it are one element,
 * which is where the bar has it. Empty where two claim the place.
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

/** Whether a tree has the content of a popup. */
export function isFilledBy(root: TreeNode, popup: Bounds): boolean {
  return (
    (root.bounds !== undefined && fills(root.bounds, popup)) ||
    root.children.some((child) => isFilledBy(child, popup))
  );
}

/** One lineage for each of the innermost elements that contain the place. What has no place of its own is looked through. */
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

/** Elements that are wanted, each with what it is in, outermost first. */
function pathsTo(
  node: TreeNode,
  isWanted: (node: TreeNode, parent: TreeNode | undefined) => boolean,
  around: readonly TreeNode[] = [],
): readonly (readonly TreeNode[])[] {
  const path = [node, ...around];
  return [
    ...(isWanted(node, around[0]) ? [path] : []),
    ...node.children.flatMap((child) => pathsTo(child, isWanted, path)),
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
