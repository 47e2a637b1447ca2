import { windowOf } from '../twins/act/widgets.ts';
import type { Box, Placed, Seen, SeenNode, SeenWindow } from '../twins/look/tree.ts';
import type { Frame } from '../twins/side/frame.ts';

/**
 * Whether a person sees a node. The rule was written before the first run: the node or something in it is showing, its box within every
 * ancestor and the unobscured window is at least 4 × 4 pixels large, and the picture there is not one flat colour. What it says of pop-ups, tab
 * pages, hidden lists and other windows was added after the first runs.
 */
export type Sight =
  | 'seen'
  | 'not showing'
  | 'no place'
  | 'clipped'
  /** Thinner than what the rule calls seen, but in full view. */
  | 'thin'
  /** Another window is above it. A snapshot is of one window and says nothing of others, so that this is no fault of it. */
  | 'behind a window'
  /** In a pop-up that is not open. */
  | 'closed'
  | 'flat';

const SMALLEST = 4;
/** Points at which a box is tested for windows above it. */
const POINTS = 24;
const GTK4 = 'GTK';
const QT = 'Qt';
const LISTS = new Set(['list', 'table', 'tree', 'tree table']);

/** What these hold opens in a window of its own, beyond their boxes. */
const OPENERS = new Set(['menu', 'popup menu']);
/** These hold an own text or arrow, too, which is in their box. */
const HALF_OPENERS = new Set(['combo box', 'push button', 'toggle button']);
const OPTIONS = new Set([
  'list',
  'list item',
  'menu',
  'menu item',
  'table',
  'table cell',
  'tree item',
  'window',
]);
/** What they hold is beside them: rows below a row, items below an item, and the page of a GTK 3 tab. */
const BESIDE = new Set(['list item', 'menu item', 'page tab', 'table cell', 'table row', 'tree item']);

/** Judges the nodes of one look. */
export class Rule {
  private readonly showing = new Map<SeenNode, boolean>();
  private readonly windows: readonly SeenWindow[];
  private readonly frame: Frame;

  constructor(seen: Seen, frame: Frame) {
    this.windows = seen.windows;
    this.frame = frame;
  }

  judge(one: Placed): Sight {
    if (!this.shows(one.node, one.application.toolkit) || isInHiddenList(one)) return 'not showing';
    if (one.node.box === null) return 'no place';
    const clipped = clippedBox(one);
    if (clipped === undefined) return isThin(one.node.box) ? 'thin' : 'clipped';
    const shown = this.unobscured(one, clipped);
    if (shown === undefined) return this.whyObscured(one, clipped);
    if (!isFlat(this.frame, shown, this.above(one))) return 'seen';
    return near(shown, clipped) ? 'flat' : 'behind a window';
  }

  /** GTK 4 sets SHOWING on windows only; there a place says the same. */
  private shows(node: SeenNode, toolkit: string): boolean {
    const known = this.showing.get(node);
    if (known !== undefined) return known;
    const itself = toolkit === GTK4 ? node.box !== null : node.states.includes('showing');
    // What has no place shows nothing: Qt calls the lists in hidden docks showing.
    const found = itself || node.children.some((child) => child.box !== null && this.shows(child, toolkit));
    this.showing.set(node, found);
    return found;
  }

  /** The part of a box that no other window covers, if it is large enough; its outline if it has several parts. */
  private unobscured(one: Placed, box: Box): Box | undefined {
    const own = this.windowsOf(one);
    const [stepX, stepY] = [
      Math.max(1, Math.floor(box[2] / POINTS)),
      Math.max(1, Math.floor(box[3] / POINTS)),
    ];
    let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
    for (let y = box[1]; y < box[1] + box[3]; y += stepY)
      for (let x = box[0]; x < box[0] + box[2]; x += stepX) {
        const window = this.windows.findLast((candidate) => contains(inner(candidate), x, y));
        if (window === undefined || !own.includes(window)) continue;
        [left, top] = [Math.min(left, x), Math.min(top, y)];
        [right, bottom] = [Math.max(right, x + stepX), Math.max(bottom, y + stepY)];
      }
    return large([
      left,
      top,
      Math.min(right, box[0] + box[2]) - left,
      Math.min(bottom, box[1] + box[3]) - top,
    ]);
  }

  /** The windows above that of a node: what they draw is no part of its picture. */
  private above(one: Placed): Box[] {
    const own = this.windowsOf(one);
    const last = this.windows.findLastIndex((window) => own.includes(window));
    return this.windows.slice(last + 1).map(inner);
  }

  private whyObscured(one: Placed, box: Box): Sight {
    const isInside = this.windowsOf(one).some((window) => large(common(inner(window), box)) !== undefined);
    if (isInside) return 'behind a window';
    return openerOf(one.node, one.above) === -1 ? 'clipped' : 'closed';
  }

  /** The windows of the display in which a node can be: that of its tree, or a pop-up of its application. */
  private windowsOf({ node, above, application }: Placed): SeenWindow[] {
    const popups = this.windows.filter(({ managed, pid }) => !managed && pid === application.pid);
    if (openerOf(node, above) !== -1) return popups;
    const [root = node] = above;
    const own = windowOf(root, application.pid, this.windows);
    const isPopup = popups.some(({ box }) => root.box !== null && near(box, root.box));
    if (isPopup || own === undefined) return popups;
    // Toolkits without windows for their own parts draw some of them in pop-ups, which hold nothing else.
    return [own];
  }
}

/** Qt reports the rows of a hidden list as showing, where they would be, and LibreOffice a second menu bar: these themselves have no place. */
function isInHiddenList({ above, application }: Placed): boolean {
  return above.some(
    ({ role, box }) =>
      box === null && (role === 'menu bar' || (application.toolkit === QT && LISTS.has(role))),
  );
}

/** The box within its ancestors. */
export function clippedBox({ node, above }: Placed): Box | undefined {
  if (node.box === null) return undefined;
  let box: Box | undefined = node.box;
  for (const { box: outer, role } of above.slice(openerOf(node, above) + 1)) {
    if (outer === null || BESIDE.has(role)) continue;
    box = box && common(box, outer);
  }
  return box && large(box);
}

/** The position among its ancestors of what opened the pop-up that a node is in; -1 if it is in none. */
function openerOf(node: SeenNode, above: readonly SeenNode[]): number {
  return above.findLastIndex(({ role }, index) => {
    if (OPENERS.has(role)) return !isInPlace(above[index - 1], above[index], above[index + 1] ?? node);
    return HALF_OPENERS.has(role) && OPTIONS.has((above[index + 1] ?? node).role);
  });
}

/** Whether a menu is a part of what it is in, as in a panel of Chromium: it opens nothing beyond that. */
function isInPlace(around: SeenNode | undefined, menu: SeenNode | undefined, inside: SeenNode): boolean {
  const within = (one: Box | null | undefined, other: Box | null | undefined): boolean =>
    one != null && other != null && near(common(one, other), one);
  return within(menu?.box, around?.box) && within(inside.box, menu?.box);
}

function inner({ box: [x, y, width, height], edges }: SeenWindow): Box {
  const [left = 0, right = 0, top = 0, bottom = 0] = edges ?? [];
  return [x + left, y + top, width - left - right, height - top - bottom];
}

export function common(a: Box, b: Box): Box {
  const [left, top] = [Math.max(a[0], b[0]), Math.max(a[1], b[1])];
  return [left, top, Math.min(a[0] + a[2], b[0] + b[2]) - left, Math.min(a[1] + a[3], b[1] + b[3]) - top];
}

function large(box: Box): Box | undefined {
  return box[2] >= SMALLEST && box[3] >= SMALLEST ? box : undefined;
}

function isThin([, , width, height]: Box): boolean {
  return width < SMALLEST || height < SMALLEST;
}

function contains([x, y, width, height]: Box, pointX: number, pointY: number): boolean {
  return pointX >= x && pointX < x + width && pointY >= y && pointY < y + height;
}

function near(a: Box, b: Box): boolean {
  return a.every((value, index) => Math.abs(value - (b[index] ?? 0)) <= 2);
}

/** Whether a place has one colour, apart from what covers it. */
export function isFlat({ pixels, width, height }: Frame, box: Box, covering: readonly Box[] = []): boolean {
  const [x, y, boxWidth, boxHeight] = common(box, [0, 0, width, height]);
  let first: number | undefined;
  for (let row = y; row < y + boxHeight; row++)
    for (let column = x; column < x + boxWidth; column++) {
      const pixel = pixels[row * width + column];
      if (pixel === first || covering.some((other) => contains(other, column, row))) continue;
      if (first !== undefined) return false;
      first = pixel;
    }
  return true;
}
