import { keyOf, middle, windowOf, type WidgetKey } from '../twins/act/widgets.ts';
import {
  placed,
  type Box,
  type Placed,
  type Seen,
  type SeenNode,
  type SeenWindow,
} from '../twins/look/tree.ts';
import type { Frame } from '../twins/side/frame.ts';
import { clippedBox, common, Rule } from './rule.ts';

/** A part of a window that may be scrolled, and where the wheel is turned. */
export interface Area {
  readonly key: WidgetKey;
  readonly box: Box;
  readonly point: { readonly x: number; readonly y: number };
  /** Where its boxes say that there is more. */
  readonly way: 'down' | 'right';
}

/** What is scrolled although no box may lie beyond it: rows and lines that are made when they are seen. */
const SCROLLED =
  /^(?:document \w+|list|list box|scroll pane|table|terminal|text|tree|tree table|viewport|web view)$/;
/** What they hold opens elsewhere, or is beside them. */
const NOT_WITHIN = new Set([
  'combo box',
  'list item',
  'menu',
  'menu bar',
  'menu item',
  'page tab',
  'page tab list',
  'popup menu',
  'split pane',
  'table cell',
  'table row',
  'tool bar',
  'tree item',
]);
/** Where a turn of the wheel chooses or sets something. */
const TURNED = new Set(['combo box', 'page tab', 'scroll bar', 'slider', 'spin button']);
const TABS = new Set(['page tab list']);
const SMALLEST: readonly [number, number] = [60, 40];
/** What lies further beyond an area than a border does. */
const BEYOND = 12;
const DEEPEST = 8;
const GRID = 7;
const SAME = 0.8;

/** The areas of an application that may be scrolled, those with the most in them first. */
export function areasIn(seen: Seen, frame: Frame): Area[] {
  const rule = new Rule(seen, frame);
  const found = [...placed(seen)].flatMap((one) => {
    const { node } = one;
    // A window does not scroll; what is in it does.
    if (one.above.length === 0) return [];
    if (node.box === null || node.box[2] < SMALLEST[0] || node.box[3] < SMALLEST[1]) return [];
    if (NOT_WITHIN.has(node.role) || TABS.has(node.role)) return [];
    const beyond = beyondOf(node, node.box);
    const isLikely = SCROLLED.test(node.role) && (node.role !== 'text' || node.states.includes('multi_line'));
    if (!isLikely && beyond.down === 0 && beyond.right === 0) return [];
    const box = rule.judge(one) === 'seen' ? clippedBox(one) : undefined;
    if (box === undefined || box[2] < SMALLEST[0] || box[3] < SMALLEST[1]) return [];
    const window = reached(one, middle(box), seen);
    return window === undefined ? [] : [{ one, box, beyond, window }];
  });
  const apart = found
    .toSorted((a, b) => amount(b.beyond) - amount(a.beyond) || size(b.box) - size(a.box))
    .filter(({ box }, index, all) => !all.slice(0, index).some((earlier) => isSame(earlier.box, box)));
  return apart.flatMap(({ one, box, beyond, window }) => {
    const inside = apart.filter(
      (other) => other.box !== box && size(common(box, other.box)) >= size(other.box),
    );
    const point = pointIn(box, (at) => topAt(seen.windows, at) === window, [
      ...turned(one.node),
      ...inside.map((other) => other.box),
    ]);
    const way = beyond.right > 0 && beyond.down === 0 ? 'right' : 'down';
    return point === undefined ? [] : [{ key: keyOf(one), box, point, way }];
  });
}

/** How far what is in a node lies below and to the right of it. What lies beyond a box within it is for that box to scroll. */
function beyondOf(node: SeenNode, [x, y, width, height]: Box, depth = 0): { down: number; right: number } {
  let [down, right] = [0, 0];
  for (const child of node.children) {
    if (child.box !== null) {
      const [left, top, across, along] = child.box;
      const below = top + along - y - height;
      const beside = left + across - x - width;
      if (below > BEYOND && left < x + width && left + across > x) down = Math.max(down, below);
      if (beside > BEYOND && top < y + height && top + along > y) right = Math.max(right, beside);
      if (below <= BEYOND && beside <= BEYOND) continue;
    }
    if (depth >= DEEPEST || NOT_WITHIN.has(child.role)) continue;
    const deeper = beyondOf(child, [x, y, width, height], depth + 1);
    [down, right] = [Math.max(down, deeper.down), Math.max(right, deeper.right)];
  }
  return { down, right };
}

/** The window in which the wheel reaches a node: the topmost at its middle, if that is its own, and nothing open takes the wheel. */
function reached(one: Placed, { x, y }: Area['point'], { windows }: Seen): SeenWindow | undefined {
  const { pid } = one.application;
  const top = topAt(windows, { x, y });
  if (top?.pid !== pid) return undefined;
  if (!top.managed) return top;
  const isOpen = windows.some((window) => !window.managed && window.pid === pid);
  return !isOpen && windowOf(one.above[0] ?? one.node, pid, windows) === top ? top : undefined;
}

function topAt(windows: readonly SeenWindow[], point: Area['point']): SeenWindow | undefined {
  return windows.findLast((window) => contains(window.box, point));
}

/** A point where the wheel does nothing but scroll this area: in none of `avoided`, on its window. */
function pointIn(
  [x, y, width, height]: Box,
  isReached: (point: Area['point']) => boolean,
  avoided: readonly Box[],
): Area['point'] | undefined {
  const points = Array.from({ length: GRID * GRID }, (_, index) => ({
    x: Math.floor(x + (width * ((index % GRID) + 1)) / (GRID + 1)),
    y: Math.floor(y + (height * (Math.floor(index / GRID) + 1)) / (GRID + 1)),
  }));
  return points.find((point) => isReached(point) && !avoided.some((other) => contains(other, point)));
}

function turned(node: SeenNode): Box[] {
  return node.children.flatMap((child) =>
    TURNED.has(child.role) && child.box !== null ? [child.box] : turned(child),
  );
}

function contains([x, y, width, height]: Box, point: Area['point']): boolean {
  return point.x >= x && point.x < x + width && point.y >= y && point.y < y + height;
}

function amount({ down, right }: { readonly down: number; readonly right: number }): number {
  return down + right;
}

function size([, , width, height]: Box): number {
  return width <= 0 || height <= 0 ? 0 : width * height;
}

function isSame(a: Box, b: Box): boolean {
  return size(common(a, b)) > SAME * Math.max(size(a), size(b));
}
