import { treeLines, type Difference, type View } from './compare.ts';
import { differentTiles, squaresOf, tilesAt, without } from './picture.ts';
import { placed, type Box, type Seen, type SeenNode } from './tree.ts';

/** A context menu of Chromium is in a menu bar of its own, which vanishes with it. */
const PART_OF_MENU = /› (?:popup )?menu(?: item| bar)?\[|^[^›]+ › window "",/;
/** The title of a menu, or the tool button that it hangs on, is beside it. */
const BESIDE_PX = 48;

/** Whether all that can be seen of a change is that open menus or popovers closed; files are not seen. */
export function isMenuClosing(before: Seen, { tree, windows, picture }: Difference): boolean {
  const popovers = [...placed(before)].filter(
    ({ node, above }) => above.length > 0 && node.states.includes('modal'),
  );
  const menus = [
    ...before.windows.filter(({ managed }) => !managed).map(({ box }) => box),
    ...popovers.flatMap(({ node }) => boxesIn(node)),
  ];
  const isQuiet = windows.only.length === 0 && windows.other.length === 0;
  if (menus.length === 0 || !isQuiet) return false;
  // The button that opened it comes up again.
  const openers = tree.other.map((line) => line.replace(OPENER, '$1, checked$2'));
  if (!tree.other.every((line, index) => OPENER.test(line) && tree.only.includes(openers[index] ?? '')))
    return false;
  if (tree.other.length > 1) return false;
  const gone = tree.only.filter((line) => !openers.includes(line));
  const places = treeLines(before, new Set())
    .filter(({ place, text }) => IN_WINDOW.test(place) && MODAL.test(text))
    .map(({ place }) => place);
  const isOfPopover = (line: string): boolean =>
    places.some((place) => line.startsWith(`${place} "`) || line.startsWith(`${place} › `));
  if (!gone.every((line) => isOfMenu(line) || isOfPopover(line))) return false;
  // What changed elsewhere is no closing, even if it lies between two menus.
  const squares = picture === undefined ? [] : squaresOf(picture);
  return squares.every((square) => menus.some((menu) => isBeside(square, menu)));
}

/** Whether a line of the tree is about a menu or something in one. */
export function isOfMenu(line: string): boolean {
  return PART_OF_MENU.test(line);
}

/** Whether the same menus are open in both, and nothing differs but what is drawn in them: a pointer that passed has moved their highlight. */
export function isOnlyHighlight(before: View, after: View): boolean {
  const [was, is] = [before, after].map(({ seen }) => seen.windows.filter(({ managed }) => !managed));
  const ids = (open: typeof was): string => (open ?? []).map(({ id }) => id).join();
  if (was === undefined || ids(was) !== ids(is)) return false;
  const inside = was.flatMap(({ box }) => [...tilesAt(box, before.frame.width, false)]);
  return without(differentTiles(before.frame, after.frame), new Set(inside)).size === 0;
}

/** A toggle button, and its states. */
const OPENER = /^([^"]* toggle button\[\d+\] "[^"]*")((?:, [a-z_ ]+)*)$/;
/** A popover of GTK 3 is part of its window; a dialog is a window. */
const IN_WINDOW = /›.*›/;
const MODAL = /, modal(?:,|$)/;

function boxesIn({ box, children }: SeenNode): Box[] {
  return [...(box === null ? [] : [box]), ...children.flatMap(boxesIn)];
}

function isBeside([x, y, width, height]: Box, [left, top, across, down]: Box): boolean {
  return (
    x >= left - BESIDE_PX &&
    y >= top - BESIDE_PX &&
    x + width <= left + across + BESIDE_PX &&
    y + height <= top + down + BESIDE_PX
  );
}
