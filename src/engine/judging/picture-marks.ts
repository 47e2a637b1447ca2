import { intersect, type Bounds } from '../../model/tree/bounds.ts';
import { handleKey, type TreeNode } from '../../model/tree/node.ts';
import { roleSet } from '../../model/tree/role.ts';
import type { NodeDetails } from '../../ports/desktop/elements.ts';
import type { Point } from '../../ports/input.ts';
import { isPartOfMenu } from '../evidence/menu-closing.ts';
import type { Marks } from './judge-pictures.ts';
import type { Reading } from '../evidence/window-diff.ts';

/** What is larger shows the focus by its rim or a caret, and is a place to draw on when it is clicked. */
const WIDGET = { width: 480, height: 120 };
/** What is higher is no field or button that the focus recolours, if it keeps the focus. */
const FIELD_HEIGHT = 60;

/** Selecting one of them deselects another one. */
const SELECTABLE = roleSet('cell', 'gridcell', 'listitem', 'option', 'radio', 'row', 'tab', 'treeitem');

/** Where the picture of a window changes because an element is pressed, pointed at or focused, or because its menu closes. */
export function marksOf(act: {
  readonly target: NodeDetails;
  /** Keys and clicks at a point concern no element, only the window. */
  readonly isElement: boolean;
  /** What changes in its own place is its state. */
  readonly isDrawnItself?: boolean;
  readonly usesPointer: boolean;
  /** The focus may move as the effect of the act. */
  readonly movesFocus?: boolean;
  readonly points: readonly Point[];
  readonly trees: readonly (Reading | undefined)[];
  /** Where something new appeared in the tree: there, the picture changes because of that and not because the focus moved. */
  readonly appeared?: readonly Bounds[];
}): Marks {
  const { target, isElement, isDrawnItself = false, usesPointer, movesFocus = false, points, trees } = act;
  const { appeared = [] } = act;
  const nodes = trees.map((tree) => (tree === undefined ? [] : tree.root.children.flatMap(flatten)));
  const zones: Bounds[] = [];
  const add = (node: { readonly bounds?: Bounds | undefined }): void => {
    if (node.bounds !== undefined) zones.push(node.bounds);
  };
  if (isElement && !isDrawnItself && !(usesPointer && isPlace(target))) add(target);
  if (isElement && isPartOfMenu(target.role))
    for (const node of nodes.flat())
      // A status bar may say what the highlighted item is for.
      if (isPartOfMenu(node.role) || node.role === 'status') add(node);
  if (isElement && !isDrawnItself && SELECTABLE.has(target.role))
    for (const node of nodes.flat()) if (node.role === target.role) add(node);
  const focused = nodes.map((all) => all.filter(({ states }) => states.includes('focused')));
  const keysOf = (all: readonly TreeNode[] = []): ReadonlySet<string> =>
    new Set(all.map(({ handle }) => handleKey(handle)));
  const [was = new Set<string>(), is = new Set<string>()] = focused.map((all) => keysOf(all));
  // What keeps the focus has the same ring as before; a part of the window may say that it has it, too.
  const isKept = ({ handle }: TreeNode): boolean => was.has(handleKey(handle)) && is.has(handleKey(handle));
  const isOnlyFocus = was.size === is.size && [...was].every((key) => is.has(key));
  const isUnmarked = (node: TreeNode): boolean =>
    isKept(node) &&
    ((node.bounds?.height ?? 0) > FIELD_HEIGHT ||
      (isOnlyFocus && isDrawnItself && handleKey(node.handle) === handleKey(target.handle)));
  for (const node of movesFocus ? [] : focused.flat())
    if (!isUnmarked(node) && node.bounds !== undefined)
      zones.push(...(isPlace(node) ? outside(node.bounds, appeared) : [node.bounds]));
  for (const node of usesPointer ? nodes.flat() : [])
    if (!isPlace(node) && points.some((point) => isAt(node, point))) add(node);
  const areUnknown = usesPointer || trees.some((tree) => tree === undefined);
  return {
    zones,
    points,
    areUnknown,
    areWanted: movesFocus,
    ...(isDrawnItself ? { place: target.bounds } : {}),
  };
}

function isPlace({ bounds }: { readonly bounds?: Bounds | undefined }): boolean {
  return bounds !== undefined && (bounds.width > WIDGET.width || bounds.height > WIDGET.height);
}

/** What is left of a place around everything that lies in it. */
function outside(place: Bounds, parts: readonly Bounds[]): Bounds[] {
  const inside = parts.map((part) => intersect(part, place)).filter((part) => part !== undefined);
  if (inside.length === 0) return [place];
  const left = Math.min(...inside.map(({ x }) => x));
  const top = Math.min(...inside.map(({ y }) => y));
  const right = Math.max(...inside.map(({ x, width }) => x + width));
  const bottom = Math.max(...inside.map(({ y, height }) => y + height));
  const { x, y, width, height } = place;
  return [
    { x, y, width, height: top - y },
    { x, y: bottom, width, height: y + height - bottom },
    { x, y: top, width: left - x, height: bottom - top },
    { x: right, y: top, width: x + width - right, height: bottom - top },
  ].filter((part) => part.width > 0 && part.height > 0);
}

function isAt({ bounds }: TreeNode, { x, y }: Point): boolean {
  return (
    bounds !== undefined &&
    x >= bounds.x &&
    x < bounds.x + bounds.width &&
    y >= bounds.y &&
    y < bounds.y + bounds.height
  );
}

function flatten(node: TreeNode): TreeNode[] {
  return [node, ...node.children.flatMap(flatten)];
}
