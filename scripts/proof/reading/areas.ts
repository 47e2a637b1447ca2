import { whyUnreachable, type WidgetKey, keyOf } from '../twins/act/widgets.ts';
import { placed, type Box, type Placed, type Seen, type SeenNode } from '../twins/look/tree.ts';
import type { Frame } from '../twins/side/frame.ts';
import { common, Rule } from './rule.ts';

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
    if (node.box === null || node.box[2] < SMALLEST[0] || node.box[3] < SMALLEST[1]) return [];
    if (NOT_WITHIN.has(node.role) || TABS.has(node.role)) return [];
    const beyond = beyondOf(node, node.box);
    const isLikely = SCROLLED.test(node.role) && (node.role !== 'text' || node.states.includes('multi_line'));
    if (!isLikely && beyond.down === 0 && beyond.right === 0) return [];
    if (rule.judge(one) !== 'seen' || whyUnreachable(one, seen) !== undefined) return [];
    const box = within(one);
    return box === undefined ? [] : [{ one, box, beyond }];
  });
  const apart = found
    .toSorted((a, b) => amount(b.beyond) - amount(a.beyond) || size(b.box) - size(a.box))
    .filter(({ box }, index, all) => !all.slice(0, index).some((earlier) => isSame(earlier.box, box)));
  return apart.flatMap(({ one, box, beyond }) => {
    const inside = apart.filter(
      (other) => other.box !== box && size(common(box, other.box)) >= size(other.box),
    );
    const point = pointIn(box, seen, [...turned(one.node), ...inside.map((other) => other.box)]);
    const way = beyond.right > 0 && beyond.down === 0 ? 'right' : 'down';
    return point === undefined ? [] : [{ key: keyOf(one), box, point, way }];
  });
}

/** How far what is in a node lies below and to the right of it. */
function beyondOf(node: SeenNode, [x, y, width, height]: Box, depth = 0): { down: number; right: number } {
  let [down, right] = [0, 0];
  for (const child of node.children) {
    if (child.box !== null) {
      const [left, top, across, along] = child.box;
      const isBelow = left < x + width && left + across > x;
      const isBeside = top < y + height && top + along > y;
      if (isBelow && top + along > y + height + BEYOND) down = Math.max(down, top + along - y - height);
      if (isBeside && left + across > x + width + BEYOND) right = Math.max(right, left + across - x - width);
    }
    if (depth >= DEEPEST || NOT_WITHIN.has(child.role)) continue;
    const deeper = beyondOf(child, [x, y, width, height], depth + 1);
    [down, right] = [Math.max(down, deeper.down), Math.max(right, deeper.right)];
  }
  return { down, right };
}

/** The part of a node that its ancestors leave. */
function within({ node, above }: Placed): Box | undefined {
  let box = node.box;
  for (const outer of above) if (box !== null && outer.box !== null) box = common(box, outer.box);
  return box !== null && box[2] >= SMALLEST[0] && box[3] >= SMALLEST[1] ? box : undefined;
}

/** A point where the wheel does nothing but scroll this area: in none of `avoided`, on the window that is at its middle. */
function pointIn(box: Box, { windows }: Seen, avoided: readonly Box[]): Area['point'] | undefined {
  const [x, y, width, height] = box;
  const topAt = (at: Area['point']): number | undefined =>
    windows.findLast((window) => contains(window.box, at))?.id;
  const own = topAt({ x: Math.floor(x + width / 2), y: Math.floor(y + height / 2) });
  const points = Array.from({ length: GRID * GRID }, (_, index) => ({
    x: Math.floor(x + (width * ((index % GRID) + 1)) / (GRID + 1)),
    y: Math.floor(y + (height * (Math.floor(index / GRID) + 1)) / (GRID + 1)),
  }));
  return points.find((point) => topAt(point) === own && !avoided.some((other) => contains(other, point)));
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
