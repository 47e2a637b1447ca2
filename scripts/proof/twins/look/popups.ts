import type { Frame } from '../side/frame.ts';
import type { View } from './compare.ts';
import { differentTiles, tilesAt, type Tiles } from './picture.ts';
import type { Box, SeenWindow } from './tree.ts';

/** A toolkit that forgets its menu bar when it places a list is off by its height, not more. */
const MOST_SHIFTED = 40;

/**
 * The squares of pop-ups that both views show with the same contents, but a little higher or lower; none if anything else about them differs. What
 * one of them covers cannot be compared.
 */
export function movedPopups(one: View, other: View): Tiles {
  const here = popups(one);
  const there = popups(other);
  if (here.length !== there.length) return new Set();
  const found = new Set<number>();
  for (const [index, mine] of here.entries()) {
    const theirs = there[index];
    if (theirs === undefined || !isMoved(mine, theirs)) continue;
    if (!isSameInside(one.frame, mine.box, other.frame, theirs.box)) return new Set();
    for (const { box } of [mine, theirs])
      for (const tile of tilesAt(box, one.frame.width, false)) found.add(tile);
  }
  return found;
}

/** From the bottom to the top. */
function popups({ seen }: View): SeenWindow[] {
  return seen.windows.filter(({ managed }) => !managed);
}

function isMoved(one: SeenWindow, other: SeenWindow): boolean {
  const [x, y, width, height] = one.box;
  const [left, top, across, down] = other.box;
  const isSameWindow = one.title === other.title && width === across && height === down;
  return isSameWindow && x === left && y !== top && Math.abs(y - top) <= MOST_SHIFTED;
}

function isSameInside(one: Frame, mine: Box, other: Frame, theirs: Box): boolean {
  return differentTiles(cut(one, mine), cut(other, theirs)).size === 0;
}

function cut({ width, height, pixels }: Frame, [x, y, across, down]: Box): Frame {
  const [left, top] = [Math.max(0, x), Math.max(0, y)];
  const [right, bottom] = [Math.min(width, x + across), Math.min(height, y + down)];
  const found = new Uint32Array(Math.max(0, right - left) * Math.max(0, bottom - top));
  for (let row = top; row < bottom; row++)
    found.set(pixels.subarray(row * width + left, row * width + right), (row - top) * (right - left));
  return { width: Math.max(0, right - left), height: Math.max(0, bottom - top), pixels: found };
}
