import { findWidget, type WidgetKey } from '../act/widgets.ts';
import type { View } from './compare.ts';
import { differentTiles, tilesAt, type Tiles } from './picture.ts';
import type { Frame } from '../side/frame.ts';
import type { Box, Seen } from './tree.ts';

/** The height of LibreOffice's menu bar, by which it misplaces a popup; a row or a button away it would be a popup of something else. */
const BAR_PX = { least: 22, most: 28 };
const APPLICATION = 'soffice';
/** GTK 3 leaves this much between a menu and the edge of the screen. */
const SCREEN_EDGE_PX = 2;
/** A border or a shadow between a popup and what it hangs from. */
const EDGE_PX = 4;

/**
 * The squares of the popups that two views draw alike, but a little apart, or where the pointer waited during acts that need none; what is under one of
 * them may show in the other view. So may the button that it hangs from, of which the higher one covers a part: it looks pressed as long as its popup
 * is open, if a pointer opened it.
 */
export function movedPopups(one: View, other: View, key: WidgetKey): Tiles {
  const isOffice = one.seen.applications.some(({ name }) => name === APPLICATION);
  const [here, there] = [popupsIn(one.seen), popupsIn(other.seen)];
  if (here.length !== there.length) return new Set();
  const tiles = here.flatMap((box, index) => {
    const its = there[index];
    if (its === undefined || isSamePlace(box, its)) return [];
    if (!(isOffice && isMoved(box, its)) && !isAtWaitingPointer(box, its, one.frame)) return [];
    const [mine, theirs] = [part(one.frame, box), part(other.frame, its)];
    if (differentTiles(mine, theirs).size > 0) return [];
    const button = findWidget(other.seen, key)?.node.box ?? undefined;
    const covered = button !== undefined && hangsFrom(its, button) ? [button] : [];
    return [box, its, ...covered].flatMap((place) => [...tilesAt(place, one.frame.width, false)]);
  });
  return new Set(tiles);
}

/** Whether a popup begins below a button, at its left edge or its right one. */
function hangsFrom([left, top, across]: Box, [x, y, width, height]: Box): boolean {
  const isAside = Math.abs(left - x) > EDGE_PX && Math.abs(left + across - x - width) > EDGE_PX;
  return !isAside && Math.abs(top - y - height) <= EDGE_PX;
}

function popupsIn({ windows }: Seen): Box[] {
  return windows.filter(({ managed }) => !managed).map(({ box }) => box);
}

function isSamePlace([x, y]: Box, [left, top]: Box): boolean {
  return x === left && y === top;
}

/** Whether ours lies in the lower right corner of the screen, where the pointer waits: GTK 3 opens some menus at the pointer, whoever asks for them. */
function isAtWaitingPointer([x, y, width, height]: Box, [, , across, down]: Box, screen: Frame): boolean {
  const [right, below] = [screen.width - x - width, screen.height - y - height];
  return width === across && height === down && right <= SCREEN_EDGE_PX && below <= SCREEN_EDGE_PX;
}

function isMoved([x, y, width, height]: Box, [left, top, across, down]: Box): boolean {
  const away = Math.abs(y - top);
  return x === left && width === across && height === down && away >= BAR_PX.least && away <= BAR_PX.most;
}

function part({ width: whole, pixels }: Frame, [x, y, width, height]: Box): Frame {
  const cut = new Uint32Array(width * height);
  for (let row = 0; row < height; row++) {
    const from = (y + row) * whole + x;
    cut.set(pixels.subarray(from, from + width), row * width);
  }
  return { width, height, pixels: cut };
}
