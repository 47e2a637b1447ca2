import type { Difference } from './compare.ts';
import type { Box, Seen } from './tree.ts';

/** A context menu of Chromium is in a menu bar of its own, which vanishes with it. */
const PART_OF_MENU = /› (?:popup )?menu(?: item| bar)?\[|^[^›]+ › window "",/;
/** The title of a menu is beside it. */
const BESIDE_PX = 40;

/** Whether all that can be seen of a change is that open menus closed; files are not seen. */
export function isMenuClosing(before: Seen, { tree, windows, picture }: Difference): boolean {
  const menus = before.windows.filter(({ managed }) => !managed).map(({ box }) => box);
  const isQuiet = windows.only.length === 0 && windows.other.length === 0;
  if (menus.length === 0 || !isQuiet || tree.other.length > 0) return false;
  if (!tree.only.every((line) => PART_OF_MENU.test(line))) return false;
  return picture === undefined || isWithin(picture, boxAround(menus));
}

function boxAround(boxes: readonly Box[]): Box {
  const [left, top] = [Math.min(...boxes.map(([x]) => x)), Math.min(...boxes.map(([, y]) => y))];
  const right = Math.max(...boxes.map(([x, , width]) => x + width));
  const bottom = Math.max(...boxes.map(([, y, , height]) => y + height));
  return [left, top, right - left, bottom - top];
}

function isWithin([x, y, width, height]: Box, [left, top, across, down]: Box): boolean {
  return (
    x >= left - BESIDE_PX &&
    y >= top - BESIDE_PX &&
    x + width <= left + across + BESIDE_PX &&
    y + height <= top + down + BESIDE_PX
  );
}
