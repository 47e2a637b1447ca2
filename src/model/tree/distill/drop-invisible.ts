import { intersect, type Bounds } from '../bounds.ts';
import type { OffScreen } from '../node.ts';
import { roleSet } from '../role.ts';
import { isElided, isFocused, type Draft, type Pass } from './draft.ts';

/** Containers that clip their content. Windows, popups and controls do not: their menus and lists overflow. */
export const CLIPPING = roleSet(
  'form',
  'generic',
  'grid',
  'group',
  'landmark',
  'list',
  'listbox',
  'rowgroup',
  'table',
  'tabpanel',
  'tree',
  'treegrid',
);

/** Roles that open above the rest or have popups that do, and web documents, whose engines mark off-screen elements and whose boxes overflow. */
export const UNCLIPPED = roleSet(
  'alert',
  'alertdialog',
  'application',
  'button',
  'combobox',
  'dialog',
  'document',
  'menu',
  'menuitem',
  'searchbox',
  'textbox',
  'togglebutton',
  'tooltip',
  'window',
);

/** Pixels of a clipped element that must show: of what is scrolled to a hair's breadth nobody can see or click anything. */
const LEAST_PX = 4;

/** Items of scrolled containers. */
const ITEMS = roleSet('cell', 'gridcell', 'listitem', 'option', 'row', 'treeitem');

/**
 * Drops invisible elements, which cannot be clicked: hidden, off-screen, without area or scrolled out, unless the whole tree was requested.
 * An off-screen or empty box around something visible stays.
 */
export const dropInvisible: Pass = (root, options) => {
  if (options.wholeTree) dropDead(root);
  else dropUnseen(root, { clip: undefined, scrolls: false, hasPlace: false }, options.clip ?? true);
};

function dropDead(node: Draft): void {
  node.children = node.children.filter(isAlive);
  for (const child of node.children) dropDead(child);
}

function dropUnseen(node: Draft, around: Surroundings, clips: boolean): void {
  const clip = clips ? innerClip(node, around.clip) : undefined;
  const scrolls = (around.scrolls && !CLOSABLE.has(node.role)) || isScrolled(node);
  const hasPlace = around.hasPlace || node.children.some(({ bounds }) => bounds !== undefined);
  const boxless = boxlessAmongBoxed(node.children);
  const all = node.children;
  const scrolledOut = new Map<Draft, keyof OffScreen | 'unknown'>();
  node.children = all.filter((child) => {
    if (!isAlive(child) || child.states.includes('hidden')) return false;
    if (boxless?.has(child)) {
      scrolledOut.set(child, 'unknown');
      return false;
    }
    dropUnseen(child, { clip, scrolls, hasPlace }, clips);
    if (child.children.length > 0) return true;
    if (hasPlace && isNowhere(child)) return false;
    if (isSeen(child, clip)) return true;
    const way = wayOut(child, clip);
    if (way !== undefined) scrolledOut.set(child, way);
    return false;
  });
  noteOffscreen(node, { all, scrolledOut, scrolls });
}

/** What an element inherits from its containers. */
interface Surroundings {
  readonly clip: Bounds | undefined;
  /** Whether one of them scrolls: what is not on screen then is scrolled out, not closed or on another page. */
  readonly scrolls: boolean;
  /** Whether the elements around have places: then whatever is seen among them has one, too. The window's own place does not count. */
  readonly hasPlace: boolean;
}

/** Their content is elsewhere or closed, not scrolled out. */
const CLOSABLE = roleSet(
  'button',
  'combobox',
  'menu',
  'menubar',
  'menuitem',
  'tab',
  'tablist',
  'togglebutton',
  'toolbar',
  'window',
);

/** Containers of items, which scroll wherever they are. */
const SCROLLED = roleSet('document', 'grid', 'list', 'listbox', 'table', 'tree', 'treegrid');
const SCROLL_PANE = 'scroll pane';
const SCROLL_PANES: ReadonlySet<string> = new Set([SCROLL_PANE, 'viewport']);
/** Items are made of parts, which may be empty. */
const PARTED = roleSet('cell', 'gridcell', 'listitem', 'option', 'textbox', 'treeitem');

function isScrolled({ role, source }: Draft): boolean {
  return SCROLLED.has(role) || SCROLL_PANES.has(source.nativeRole);
}

/** Where an element that is not seen went; `undefined` if it was not scrolled out. */
function wayOut(
  { states, bounds }: Draft,
  clip: Bounds | undefined,
): keyof OffScreen | 'unknown' | undefined {
  if (states.includes('offscreen')) return 'unknown';
  if (bounds === undefined || clip === undefined || bounds.width === 0 || bounds.height === 0)
    return undefined;
  const { width, height } = leastOf(bounds);
  if (bounds.y + height > clip.y + clip.height) return 'down';
  if (bounds.y + bounds.height - height < clip.y) return 'up';
  return bounds.x + width > clip.x + clip.width ? 'right' : 'left';
}

/** Counts what is scrolled out of a container. What has no place is before or after what is seen. */
function noteOffscreen(
  node: Draft,
  {
    all,
    scrolledOut,
    scrolls,
  }: {
    readonly all: readonly Draft[];
    readonly scrolledOut: ReadonlyMap<Draft, keyof OffScreen | 'unknown'>;
    readonly scrolls: boolean;
  },
): void {
  // The bars of a scrolled box are no content, nor are the parts of a cell.
  if (!scrolls || PARTED.has(node.role) || node.source.nativeRole === SCROLL_PANE) return;
  const [backwards, onwards] = node.role === 'row' ? (['left', 'right'] as const) : (['up', 'down'] as const);
  const { before = 0, after = 0 } = node.source.offscreen ?? {};
  const counts = { up: 0, down: 0, left: 0, right: 0 };
  counts[backwards] += before;
  counts[onwards] += after;
  const first = all.findIndex((child) => node.children.includes(child));
  for (const [index, child] of all.entries()) {
    const way = scrolledOut.get(child);
    if (way === 'unknown') counts[index < first ? backwards : onwards] += 1;
    else if (way !== undefined) counts[way] += 1;
  }
  node.offscreen = withoutZeros(counts);
}

function isAlive(node: Draft): boolean {
  return !node.states.includes('defunct');
}

/** Boxes are only seen by their place and by what is in them. */
const BOXES = roleSet('figure', 'form', 'generic', 'group', 'landmark', 'menubar', 'tabpanel', 'toolbar');

/** An empty box without a place, such as a hidden tool bar or the legend that a chart does not have, in a window where others have one. */
function isNowhere(node: Draft): boolean {
  return (
    BOXES.has(node.role) &&
    node.bounds === undefined &&
    node.value === '' &&
    !isElided(node) &&
    !isFocused(node)
  );
}

function isSeen(node: Draft, clip: Bounds | undefined): boolean {
  if (node.states.includes('offscreen')) return false;
  if (node.bounds === undefined) return true;
  if (node.bounds.width === 0 || node.bounds.height === 0) return false;
  if (clip === undefined) return true;
  const [shown, least] = [intersect(node.bounds, clip), leastOf(node.bounds)];
  return shown !== undefined && shown.width >= least.width && shown.height >= least.height;
}

/** Thin elements, such as lines, count as seen in full. */
function leastOf({ width, height }: Bounds): Pick<Bounds, 'width' | 'height'> {
  return { width: Math.min(width, LEAST_PX), height: Math.min(height, LEAST_PX) };
}

function innerClip(node: Draft, clip: Bounds | undefined): Bounds | undefined {
  if (UNCLIPPED.has(node.role)) return undefined;
  const box = node.bounds;
  if (!CLIPPING.has(node.role) || box === undefined || box.width === 0 || box.height === 0) return clip;
  return clip === undefined ? box : (intersect(box, clip) ?? { ...box, width: 0, height: 0 });
}

/** Fewer are no list of their own. */
const FEW = 10;

/**
 * The parts of a page or of a scrolled box are scrolled out of that, not of the paragraph or row that held them: counts move up to the list, table,
 * page or box that scrolls.
 */
export const gatherOffscreen: Pass = (root) => {
  gather(root, false);
};

function gather(node: Draft, isInPage: boolean): void {
  for (const child of node.children) {
    gather(child, isInPage || node.role === 'document');
    if (child.offscreen === undefined || tells(child, isInPage || node.role === 'document')) continue;
    node.offscreen = sum(node.offscreen, child.offscreen);
    child.offscreen = undefined;
  }
}

function tells(node: Draft, isInPage: boolean): boolean {
  // Short lists are a part of the text of a page.
  if (isInPage) return SCROLLED.has(node.role) && countOf(node.offscreen) >= FEW;
  return isScrolled(node);
}

function countOf({ up = 0, down = 0, left = 0, right = 0 }: OffScreen = {}): number {
  return up + down + left + right;
}

function sum(a: OffScreen = {}, b: OffScreen = {}): OffScreen {
  const add = (way: keyof OffScreen): number => (a[way] ?? 0) + (b[way] ?? 0);
  return withoutZeros({ up: add('up'), down: add('down'), left: add('left'), right: add('right') }) ?? {};
}

function withoutZeros(counts: Required<OffScreen>): OffScreen | undefined {
  const told = Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
  return Object.keys(told).length === 0 ? undefined : told;
}

/** GTK 3 reports scrolled-out cells as showing but without bounds. */
function boxlessAmongBoxed(children: readonly Draft[]): ReadonlySet<Draft> | undefined {
  const boxed = new Set(children.filter((child) => child.bounds !== undefined).map((child) => child.role));
  const lost = children.filter(
    (child) => child.bounds === undefined && ITEMS.has(child.role) && boxed.has(child.role),
  );
  return lost.length === 0 ? undefined : new Set(lost);
}
