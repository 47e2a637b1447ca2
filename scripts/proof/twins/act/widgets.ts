import { z } from 'zod';
import { placed, type Box, type Placed, type Seen, type SeenNode, type SeenWindow } from '../look/tree.ts';
import { isUnderArrow } from './scroll-arrows.ts';

/** Names a widget so that it is found again in another start of the same application. */
export const WidgetKey = z.object({
  application: z.string(),
  role: z.string(),
  name: z.string(),
  /** Its position below the application: window, child, child of that … */
  path: z.array(z.int()),
});
export type WidgetKey = z.output<typeof WidgetKey>;

/** A widget that a person could use, and what is needed to plan acts on it. */
export const Widget = z.object({
  key: WidgetKey,
  isEditable: z.boolean(),
  isMultiLine: z.boolean(),
  isExpandable: z.boolean().optional(),
  isEmpty: z.boolean().optional(),
  /** In a menu, an open list or another window that the window manager does not manage. */
  layer: z.literal('popup').optional(),
  value: z.number().optional(),
  range: z.tuple([z.number(), z.number()]).optional(),
  /** Why a mouse cannot reach its middle. */
  unreachable: z.enum(['clipped', 'covered']).optional(),
});
export type Widget = z.output<typeof Widget>;

/** What people click, choose or type into. */
const USABLE = new Set([
  'button',
  'check box',
  'check menu item',
  'column header',
  'combo box',
  'entry',
  'icon',
  'link',
  'list item',
  'menu',
  'menu item',
  'page tab',
  'password text',
  'push button',
  'radio button',
  'radio menu item',
  'spin button',
  'switch',
  'table cell',
  'table column header',
  'table row',
  'text',
  'toggle button',
  'tree item',
]);
const OPTIONS = new Set(['list item', 'menu item', 'table cell']);
const HOLDS_ITEMS = new Set(['menu', 'popup menu', 'combo box']);
const LISTS = new Set(['list', 'list box', 'table', 'tree', 'tree table']);
const MENUS = new Set(['menu', 'popup menu']);
/** Edges of a widget, in pixels, below which nobody aims at it. */
const SMALLEST = 4;
/** Share of a menu's window that what it shows fills; the rest is border and shadow. */
const FILLED = 0.4;
/** Share of what it shows that lies within it. */
const WITHIN = 0.9;

/** The enabled widgets that show, in document order. */
export function usableWidgets(seen: Seen): Widget[] {
  const found: Widget[] = [];
  for (const one of placed(seen)) {
    const { node } = one;
    const isEnabled = node.states.includes('sensitive') || node.states.includes('enabled');
    const isBigEnough = node.box !== null && node.box[2] >= SMALLEST && node.box[3] >= SMALLEST;
    if (!USABLE.has(node.role) || !isEnabled || !isBigEnough) continue;
    // The entry of an editable combo box or spin button reports everything twice.
    if (isPartOfWidget(one) || isOrnament(one) || isHeldByNamed(one)) continue;
    found.push(widgetOf(one, seen));
  }
  return found;
}

export function keyOf({ node, above, application }: Placed): WidgetKey {
  return {
    application: application.name,
    role: node.role,
    name: node.name,
    path: [...above, node].map(({ index }) => index),
  };
}

export function sameKey(one: WidgetKey, other: WidgetKey): boolean {
  return keyText(one) === keyText(other);
}

export function keyText({ application, role, name, path }: WidgetKey): string {
  return `${application} ${path.join('.')} ${role} ${JSON.stringify(name)}`;
}

/**
 * Finds a widget: at its old place, else the only one of its role and name, or the only one whose place differs in one step: what comes before it
 * may be hidden, or nothing to be seen.
 */
export function findWidget(seen: Seen, key: WidgetKey): Placed | undefined {
  const all = [...placed(seen)].filter((one) => {
    const { application, role, name } = keyOf(one);
    return application === key.application && role === key.role && name === key.name;
  });
  const atPlace = all.find((one) => keyOf(one).path.join('.') === key.path.join('.'));
  const near = all.length === 1 ? all : all.filter((one) => isOneStepOff(keyOf(one).path, key.path));
  return atPlace ?? (near.length === 1 ? near[0] : undefined);
}

function isOneStepOff(one: readonly number[], other: readonly number[]): boolean {
  return one.length === other.length && one.filter((step, depth) => step !== other[depth]).length === 1;
}

/** Whether a widget is selected, and nothing beside it that is in another row. */
export function isOnlySelected(seen: Seen, key: WidgetKey): boolean {
  const found = findWidget(seen, key);
  if (found?.node.states.includes('selected') !== true) return false;
  const siblings = found.above.at(-1)?.children ?? [];
  return siblings.every(({ states, box }) => !states.includes('selected') || isBeside(box, found.node.box));
}

/** Whether a box is in one row with another: texts in one cell may begin a pixel higher or lower. What has none, such as a time that is left out, is not seen. */
function isBeside(one: Box | null, other: Box | null): boolean {
  if (one === null || other === null) return one === null;
  const common = Math.min(one[1] + one[3], other[1] + other[3]) - Math.max(one[1], other[1]);
  return common * 2 > Math.min(one[3], other[3]);
}

/** Whether the keyboard goes to something else, such as a dialog that a click behind it does not close. */
export function isFocusElsewhere(seen: Seen, key: WidgetKey): boolean {
  const found = findWidget(seen, key);
  const focused = [...placed(seen)].filter(({ node }) => node.states.includes('focused'));
  if (found === undefined || focused.length === 0) return false;
  const lineage = [...found.above, found.node];
  return !focused.some(({ node, above }) => lineage.includes(node) || above.includes(found.node));
}

export function middle([x, y, width, height]: Box): { readonly x: number; readonly y: number } {
  return { x: Math.floor(x + width / 2), y: Math.floor(y + height / 2) };
}

/** Whether a mouse reaches the middle of a node: inside everything around it, and on the topmost window there. */
export function whyUnreachable(one: Placed, seen: Seen): 'clipped' | 'covered' | undefined {
  const { windows } = seen;
  const { node, above, application } = one;
  if (node.box === null) return 'clipped';
  const point = middle(node.box);
  const isInMenu = above.some(({ role }) => HOLDS_ITEMS.has(role));
  const around = isInMenu ? [] : above;
  // Qt reports the rows of a hidden list as showing, where they would be; only the list itself has no place.
  if (around.some(({ role, box }) => LISTS.has(role) && box === null)) return 'clipped';
  if (around.some(({ box }) => box !== null && !contains(box, point))) return 'clipped';
  const top = windows.findLast(({ box }) => contains(box, point));
  if (top === undefined) return 'clipped';
  if (top.pid !== application.pid) return 'covered';
  if (!top.managed)
    return isIn(top, one, seen) && !isUnderArrow(above, top.box, point.y) ? undefined : 'covered';
  // Qt reports the options of a closed combo box as showing; those of an open one are in a pop-up.
  if (above.some(({ role }) => role === 'combo box') && OPTIONS.has(node.role)) return 'covered';
  const own = windowOf(above[0] ?? node, application.pid, windows);
  if (own !== undefined && own !== top) return 'covered';
  return isUnderWidget(one) ? 'covered' : undefined;
}

/** Whether something usable that is drawn later, such as a list that an application shows over its own widgets, lies over the middle. */
function isUnderWidget({ node, above }: Placed): boolean {
  if (node.box === null || above.length === 0) return false;
  const point = middle(node.box);
  return [...above, node].some((one, depth) => {
    const siblings = above[depth - 1]?.children ?? [];
    return siblings.slice(siblings.indexOf(one) + 1).some((later) => isUsableAt(later, point));
  });
}

function isUsableAt(node: SeenNode, point: { readonly x: number; readonly y: number }): boolean {
  // What a closed combo box lists lies anywhere.
  if (node.role === 'combo box') return node.box !== null && contains(node.box, point);
  if (USABLE.has(node.role) && node.box !== null && contains(node.box, point)) return true;
  return !HOLDS_ITEMS.has(node.role) && node.children.some((child) => isUsableAt(child, point));
}

/**
 * Whether a node belongs to a window that the window manager does not manage, such as an open menu: it is an item there, or something around it
 * fills that window. What merely lies below an open menu does not belong to it.
 */
function isIn(popup: SeenWindow, one: Placed, seen: Seen): boolean {
  const { node, above, application } = one;
  if (popup.managed || popup.pid !== application.pid || node.box === null) return false;
  if (!contains(popup.box, middle(node.box))) return false;
  // The menus of GTK 3 have the place of their title, not of their window.
  if (isItem(one)) return true;
  if (menusOf(seen).has(popup.id)) return false;
  return [...above, node].some(({ box }) => box !== null && shareOf(popup.box, box) >= FILLED);
}

function isItem({ above }: Placed): boolean {
  return above.some(({ role }) => MENUS.has(role));
}

const menus = new WeakMap<Seen, ReadonlySet<number>>();

/** The windows in which items of menus lie. */
function menusOf(seen: Seen): ReadonlySet<number> {
  const kept = menus.get(seen);
  if (kept !== undefined) return kept;
  const items = [...placed(seen)]
    .filter(isItem)
    .flatMap(({ node: { box } }) => (box === null ? [] : [middle(box)]));
  const found = new Set(
    seen.windows
      .filter(({ managed, box }) => !managed && items.some((point) => contains(box, point)))
      .map(({ id }) => id),
  );
  menus.set(seen, found);
  return found;
}

/** The share of a window that a box covers; nothing if the box reaches beyond it. */
function shareOf([x, y, width, height]: Box, [left, top, across, down]: Box): number {
  const common =
    Math.max(0, Math.min(x + width, left + across) - Math.max(x, left)) *
    Math.max(0, Math.min(y + height, top + down) - Math.max(y, top));
  return common < across * down * WITHIN ? 0 : common / (width * height);
}

/** The window of the display that an accessible window stands for: with its title and, of several, nearest to its place. */
export function windowOf(
  frame: Placed['node'],
  pid: number,
  windows: readonly SeenWindow[],
): SeenWindow | undefined {
  const own = windows.filter((window) => window.managed && window.pid === pid);
  const titled = own.filter(({ title }) => title === frame.name);
  const candidates = titled.length > 0 ? titled : own;
  const [x, y] = frame.box ?? [0, 0];
  return candidates.toSorted((a, b) => distance(a.box, x, y) - distance(b.box, x, y))[0];
}

function distance([left, top]: Box, x: number, y: number): number {
  return Math.abs(left - x) + Math.abs(top - y);
}

function contains([x, y, width, height]: Box, point: { readonly x: number; readonly y: number }): boolean {
  return point.x >= x && point.x < x + width && point.y >= y && point.y < y + height;
}

function isPartOfWidget({ node, above }: Placed): boolean {
  const parent = above.at(-1);
  return parent !== undefined && node.role === 'text' && ['combo box', 'spin button'].includes(parent.role);
}

/** A picture in a field is a button only if it offers an action. */
function isOrnament({ node, above }: Placed): boolean {
  return (
    node.role === 'icon' && (node.actions ?? 0) === 0 && ['text', 'entry'].includes(above.at(-1)?.role ?? '')
  );
}

/**
 * A cell of GTK 3 that holds a picture and a text is pointed at by its text: the middle of the whole is some pixels beside that, where what opens
 * at the pointer opens elsewhere. The picture is part of the same row.
 */
function isHeldByNamed({ node, above }: Placed): boolean {
  const hasNamed = (cell: SeenNode | undefined): boolean =>
    cell?.role === 'table cell' &&
    cell.children.some(({ role, name, box }) => role === 'table cell' && name !== '' && box !== null);
  if (node.role !== 'table cell') return false;
  return hasNamed(node) || (node.name === '' && !node.states.includes('checkable') && hasNamed(above.at(-1)));
}

function widgetOf(one: Placed, seen: Seen): Widget {
  const { node } = one;
  const { windows } = seen;
  const unreachable = whyUnreachable(one, seen);
  return {
    key: keyOf(one),
    isEditable: node.states.includes('editable'),
    isMultiLine: node.states.includes('multi_line'),
    ...(node.states.includes('expandable') && !node.states.includes('expanded')
      ? { isExpandable: true }
      : {}),
    ...(node.text === '' ? { isEmpty: true } : {}),
    ...(unreachable === undefined && windows.some((window) => isIn(window, one, seen))
      ? { layer: 'popup' }
      : {}),
    ...(node.value === undefined ? {} : { value: node.value }),
    ...(node.range === undefined ? {} : { range: node.range }),
    ...(unreachable === undefined ? {} : { unreachable }),
  };
}
