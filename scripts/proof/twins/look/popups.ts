import type { View } from './compare.ts';
import { differentTiles, tilesAt, type Tiles } from './picture.ts';
import type { Frame } from '../side/frame.ts';
import type { Box, Seen } from './tree.ts';

/** Farther away it is a popup of something else. */
const MOST_PX = 40;

/** The squares of the popups that two views draw alike, but a little apart; what is under one of them may show in the other view. */
export function movedPopups(one: View, other: View): Tiles {
  const [here, there] = [popupsIn(one.seen), popupsIn(other.seen)];
  if (here.length !== there.length) return new Set();
  const tiles = here.flatMap((box, index) => {
    const its = there[index];
    if (its === undefined || !isMoved(box, its)) return [];
    const [mine, theirs] = [part(one.frame, box), part(other.frame, its)];
    if (differentTiles(mine, theirs).size > 0) return [];
    return [box, its].flatMap((place) => [...tilesAt(place, one.frame.width, false)]);
  });
  return new Set(tiles);
}

function popupsIn({ windows }: Seen): Box[] {
  return windows.filter(({ managed }) => !managed).map(({ box }) => box);
}

function isMoved([x, y, width, height]: Box, [left, top, across, down]: Box): boolean {
  const away = Math.abs(x - left) + Math.abs(y - top);
  return width === across && height === down && away > 0 && away <= MOST_PX;
}

function part({ width: whole, pixels }: Frame, [x, y, width, height]: Box): Frame {
  const cut = new Uint32Array(width * height);
  for (let row = 0; row < height; row++) {
    const from = (y + row) * whole + x;
    cut.set(pixels.subarray(from, from + width), row * width);
  }
  return { width, height, pixels: cut };
}
