import { compareViews, isWithin, type Difference, type Restless, type View } from './compare.ts';
import { differentBox, tilesAt, tilesAtBottom, type Tiles } from './picture.ts';
import { findWidget, type WidgetKey } from '../act/widgets.ts';
import { placed, type Box, type Placed, type Seen } from './tree.ts';

/** What has the focus shows a caret in the middle of it, other widgets a mark at their edge. */
const WITH_CARET = new Set(['entry', 'password text', 'text', 'terminal', 'spin button', 'combo box']);
const IN_MENUS = new Set(['menu', 'menu item', 'check menu item', 'radio menu item']);
const HIGHLIGHTED = ['selected', 'focused'];

/** What differs between two views; marks of the focus do not count, and a caret may just be dark in one of them. */
export function differenceButMarks(one: View, other: View, restless: Restless): Difference {
  const marks = [...focusMarks(one, other), ...focusMarks(other, one)];
  return compareViews(one, other, { ...restless, tiles: new Set([...restless.tiles, ...marks]) });
}

/**
 * The squares in which a view shows a mark of the focus, or a caret. A row that stays selected is filled with another colour while its list has
 * the focus.
 */
function focusMarks({ seen, frame }: View, other: View): Tiles {
  const focused = [...placed(seen)].filter(({ node }) => node.states.includes('focused'));
  const kept = selectedIn(other.seen);
  const isFilled = (one: Placed): boolean =>
    WITH_CARET.has(one.node.role) || (one.node.states.includes('selected') && kept.has(pathOf(one)));
  return tilesOf(focused, frame.width, (one) => !isFilled(one));
}

function selectedIn(seen: Seen): ReadonlySet<string> {
  return new Set([...placed(seen)].filter(({ node }) => node.states.includes('selected')).map(pathOf));
}

function pathOf({ above, node }: Placed): string {
  return [...above, node].map(({ index }) => index).join('.');
}

/**
 * The squares of what has the focus in one view only. A field that has it may show its text as marked; what the text is, the tree tells.
 */
export function focusDifference(one: View, other: View): Tiles {
  const [here, there] = [focusedIn(one.seen), focusedIn(other.seen)];
  const differing = [
    ...[...here].filter(([place]) => !there.has(place)),
    ...[...there].filter(([place]) => !here.has(place)),
  ];
  return tilesOf(
    differing.map(([, found]) => found).filter(({ node }) => WITH_CARET.has(node.role)),
    one.frame.width,
    () => false,
  );
}

/** Whether the focus is at the same place in both. */
export function isSameFocus(one: Seen, other: Seen): boolean {
  const [here, there] = [focusedIn(one), focusedIn(other)];
  return here.size === there.size && [...here.keys()].every((place) => there.has(place));
}

function focusedIn(seen: Seen): ReadonlyMap<string, Placed> {
  const found = [...placed(seen)].filter(({ node }) => node.states.includes('focused'));
  return new Map(found.map((one) => [pathOf(one), one]));
}

/** The squares of menu items that are highlighted in one view and not in the other: where the pointer or the arrow keys would begin. */
export function highlights(one: View, other: View): Tiles {
  const here = highlighted(one.seen);
  const there = highlighted(other.seen);
  const differing = [
    ...[...here].filter(([place]) => !there.has(place)),
    ...[...there].filter(([place]) => !here.has(place)),
  ];
  return tilesOf(
    differing.map(([, found]) => found),
    one.frame.width,
    () => false,
  );
}

/** A line under a letter. */
const UNDERLINE = { width: 16, height: 2 };

/**
 * The squares of menu items that differ by no more than the line under one letter: GTK shows by which letter an item is chosen once the keyboard, or an
 * accessible action, has opened a menu, and not if the pointer has.
 */
export function underlines(one: View, other: View): Tiles {
  const there = new Map(itemsIn(other.seen).map((found) => [pathOf(found), found.node]));
  const underlined = itemsIn(one.seen).filter((found) => {
    const { box, name } = found.node;
    const twin = there.get(pathOf(found));
    if (box === null || twin?.name !== name || twin.box?.join() !== box.join()) return false;
    const differing = differentBox(one.frame, other.frame, box);
    return differing !== undefined && differing[2] <= UNDERLINE.width && differing[3] <= UNDERLINE.height;
  });
  return tilesOf(underlined, one.frame.width, () => false);
}

function itemsIn(seen: Seen): readonly Placed[] {
  return [...placed(seen)].filter(({ node }) => IN_MENUS.has(node.role));
}

/** The squares of what was clicked, if it is open in both views: under the open list it may still look as if the pointer were on it. */
export function openedBoth(
  { ours, twin }: { readonly ours: View; readonly twin: View },
  key: WidgetKey,
): Tiles {
  const [mine, theirs] = [ours, twin].map(({ seen }) => findWidget(seen, key));
  const isOpen = [mine, theirs].every((one) => one?.node.states.includes('expanded') === true);
  return isOpen && theirs !== undefined ? tilesOf([theirs], twin.frame.width, () => false) : new Set();
}

/**
 * The squares of the entry beside a button that has opened its list on both sides: a click gives the entry the focus first, and its text stays
 * marked while the list has the keyboard. What the text is, the tree tells.
 */
export function entryBeside(
  { ours, twin }: { readonly ours: View; readonly twin: View },
  key: WidgetKey,
): Tiles {
  const found = [ours, twin].map(({ seen }) => findWidget(seen, key));
  const isOpen = found.every(
    (one) => one?.node.role === 'toggle button' && one.node.states.includes('checked'),
  );
  const [, theirs] = found;
  const parent = theirs?.above.at(-1);
  if (!isOpen || theirs === undefined || parent === undefined) return new Set();
  const entries = parent.children.filter(({ role }) => role === 'text' || role === 'entry');
  return tilesOf(
    entries.map((node) => ({ ...theirs, node })),
    twin.frame.width,
    () => false,
  );
}

/**
 * The squares at the lower edge of the menu bars that both sides of a Swing application show at the same place. Swing decides each time it draws one, as when
 * a menu of it closes, whether there is a line under it: not if the tool bar made last is under it.
 */
export function edgesOfMenuBars(one: View, other: View): Tiles {
  const there = new Set(menuBarsOfSwing(other).map(({ node }) => node.box?.join()));
  const boxes = menuBarsOfSwing(one).flatMap(({ node: { box } }) =>
    box !== null && there.has(box.join()) ? [box] : [],
  );
  return new Set(boxes.flatMap((box) => [...tilesAtBottom(box, one.frame.width)]));
}

function menuBarsOfSwing({ seen }: View): readonly Placed[] {
  return [...placed(seen)].filter(
    ({ node, application }) => node.role === 'menu bar' && application.toolkit.startsWith('J2SE'),
  );
}

/** As GTK 4 calls itself; GTK 3 says "gtk". */
export const GTK_4 = 'GTK';

/** A caret is no wider than this, nor higher, in whole squares. */
const CARET_BOX = { width: 8, height: 32 };

/**
 * Whether a place is that of a caret in a text that is the same in both views: while a menu has the keyboard, GTK 4 goes on showing the caret of the text
 * as it was at that moment of its blinking, lit or dark.
 */
export function isCaretIn({ ours, twin }: { readonly ours: View; readonly twin: View }, place: Box): boolean {
  if (place[2] > CARET_BOX.width || place[3] > CARET_BOX.height) return false;
  const mine = new Map(
    [...placed(ours.seen)].filter(({ node }) => WITH_CARET.has(node.role)).map((one) => [pathOf(one), one]),
  );
  return [...placed(twin.seen)].some((one) => {
    const { box, role, states, text } = one.node;
    if (one.application.toolkit !== GTK_4) return false;
    const isField = WITH_CARET.has(role) && states.includes('editable') && text !== undefined;
    return isField && mine.get(pathOf(one))?.node.text === text && box !== null && isWithin(place, box);
  });
}

/** Whether a place is within a web page: browsers go on drawing the frame of what the pointer left while a menu had it. */
export function isInPage(seen: Seen, place: Box): boolean {
  return [...placed(seen)].some(
    ({ node }) => node.role === 'document web' && node.box !== null && isWithin(place, node.box),
  );
}

function highlighted(seen: Seen): ReadonlyMap<string, Placed> {
  const found = [...placed(seen)].filter(
    ({ node }) => IN_MENUS.has(node.role) && HIGHLIGHTED.some((state) => node.states.includes(state)),
  );
  return new Map(found.map((one) => [pathOf(one), one]));
}

function tilesOf(found: readonly Placed[], screenWidth: number, isHollow: (one: Placed) => boolean): Tiles {
  const tiles = found.flatMap((one) =>
    one.node.box === null ? [] : [...tilesAt(one.node.box, screenWidth, isHollow(one))],
  );
  return new Set(tiles);
}
