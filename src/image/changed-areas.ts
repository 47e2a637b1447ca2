import type { Bounds } from '../model/tree/bounds.ts';
import { COLOUR, wordsOf } from './raw-image.ts';

/** Side of the squares that are compared one by one, so that two distant changes do not become one large picture. */
const TILE = 128;
/** More pictures cost more than the unchanged pixels between them. */
const MOST_AREAS = 12;
/** Share of the smallest rectangle around all areas from which that rectangle is used instead. */
const DENSE = 0.6;

/** The pixels of a screen as last seen. */
export interface Frame {
  readonly width: number;
  readonly height: number;
  readonly words: Uint32Array;
}

export function emptyFrame({ width, height }: { readonly width: number; readonly height: number }): Frame {
  // No pixel has this value, so the first picture of each is a change.
  return { width, height, words: new Uint32Array(width * height).fill(COLOUR + 1) };
}

/** Copies a picture of part of the screen into the frame. Returns the rectangles that contain every pixel that changed. */
export function updateFrame(frame: Frame, area: Bounds, bgrx: Uint8Array): Bounds[] {
  const words = wordsOf({ bgrx });
  const changed: Bounds[] = [];
  for (let y = 0; y < area.height; y += TILE)
    for (let x = 0; x < area.width; x += TILE) {
      const tile = {
        x,
        y,
        width: Math.min(TILE, area.width - x),
        height: Math.min(TILE, area.height - y),
      };
      const box = copyTile(frame, { area, tile, words });
      if (box !== undefined) changed.push(box);
    }
  return changed;
}

function copyTile(
  frame: Frame,
  { area, tile, words }: { readonly area: Bounds; readonly tile: Bounds; readonly words: Uint32Array },
): Bounds | undefined {
  let [left, right, top, bottom] = [Number.POSITIVE_INFINITY, -1, -1, -1];
  for (let row = 0; row < tile.height; row += 1) {
    let from = (tile.y + row) * area.width + tile.x;
    let to = (area.y + tile.y + row) * frame.width + area.x + tile.x;
    let isSame = true;
    for (let column = 0; column < tile.width; column += 1, from += 1, to += 1) {
      const pixel = (words[from] ?? 0) & COLOUR;
      if (frame.words[to] === pixel) continue;
      frame.words[to] = pixel;
      isSame = false;
      if (column < left) left = column;
      if (column > right) right = column;
    }
    if (isSame) continue;
    if (top < 0) top = row;
    bottom = row;
  }
  if (top < 0) return undefined;
  return {
    x: area.x + tile.x + left,
    y: area.y + tile.y + top,
    width: right - left + 1,
    height: bottom - top + 1,
  };
}

/** Few rectangles that contain all of these. */
export function fewAreas(areas: readonly Bounds[]): readonly Bounds[] {
  if (areas.length < 2) return areas;
  const around = boundsAround(areas);
  const sum = areas.reduce((total, { width, height }) => total + width * height, 0);
  return areas.length > MOST_AREAS || sum > around.width * around.height * DENSE ? [around] : areas;
}

function boundsAround(areas: readonly Bounds[]): Bounds {
  const x = Math.min(...areas.map((area) => area.x));
  const y = Math.min(...areas.map((area) => area.y));
  const right = Math.max(...areas.map((area) => area.x + area.width));
  const bottom = Math.max(...areas.map((area) => area.y + area.height));
  return { x, y, width: right - x, height: bottom - y };
}

/** Part of the frame as raw pixels. */
export function partOf(frame: Frame, { x, y, width, height }: Bounds): Uint8Array {
  const words = new Uint32Array(width * height);
  for (let row = 0; row < height; row += 1) {
    const from = (y + row) * frame.width + x;
    words.set(frame.words.subarray(from, from + width), row * width);
  }
  return new Uint8Array(words.buffer);
}
