import type { Frame } from '../side/frame.ts';
import type { Box } from './tree.ts';

/** Pictures are compared in squares of this many pixels. */
const TILE = 8;
/** Largest difference of a colour between 0 and 255 that nobody sees. */
const UNSEEN = 24;
/** A square differs if at least so many of its pixels do. */
const PIXELS = 3;
const BYTES = 4;

/** Marks of the focus reach a little over the edge of what has it. */
const MARK = 4;

/** Squares of a screen by number, row by row. */
export type Tiles = ReadonlySet<number>;

/** The squares in which two pictures differ visibly. */
export function differentTiles(a: Frame, b: Frame): Set<number> {
  const perRow = Math.ceil(a.width / TILE);
  const counts = new Uint8Array(perRow * Math.ceil(a.height / TILE));
  for (let y = 0; y < a.height; y++) {
    const row = y * a.width;
    if (isSameRow(a, b, row)) continue;
    const tiles = Math.floor(y / TILE) * perRow;
    for (let x = 0; x < a.width; x++) {
      const [one, other] = [a.pixels[row + x] ?? 0, b.pixels[row + x] ?? 0];
      if (one !== other && isSeen(one, other)) {
        const tile = tiles + Math.floor(x / TILE);
        counts[tile] = Math.min(255, (counts[tile] ?? 0) + 1);
      }
    }
  }
  const found = new Set<number>();
  for (const [tile, count] of counts.entries()) if (count >= PIXELS) found.add(tile);
  return found;
}

/** Most rows of two screens are equal to the last bit, which is quickly seen. */
function isSameRow(a: Frame, b: Frame, from: number): boolean {
  const [one, other] = [a, b].map(({ pixels, width }) =>
    Buffer.from(pixels.buffer, pixels.byteOffset + from * BYTES, width * BYTES),
  );
  return one !== undefined && other !== undefined && one.equals(other);
}

function isSeen(one: number, other: number): boolean {
  return [0, 8, 16].some((shift) => Math.abs(((one >> shift) & 255) - ((other >> shift) & 255)) > UNSEEN);
}

/** The box around the pixels within a place that differ visibly. */
export function differentBox(a: Frame, b: Frame, [x, y, width, height]: Box): Box | undefined {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let row = y; row < y + height; row++)
    for (let column = x; column < x + width; column++) {
      const at = row * a.width + column;
      if (!isSeen(a.pixels[at] ?? 0, b.pixels[at] ?? 0)) continue;
      [left, right] = [Math.min(left, column), Math.max(right, column)];
      [top, bottom] = [Math.min(top, row), Math.max(bottom, row)];
    }
  return right < left ? undefined : [left, top, right - left + 1, bottom - top + 1];
}

/** The squares that a box touches; with `hollow`, only those at its edge. */
export function tilesAt([x, y, width, height]: Box, screenWidth: number, hollow: boolean): Tiles {
  const perRow = Math.ceil(screenWidth / TILE);
  const column = (at: number): number => Math.min(perRow - 1, Math.max(0, Math.floor(at / TILE)));
  const row = (at: number): number => Math.max(0, Math.floor(at / TILE));
  const [left, right] = [column(x - MARK), column(x + width + MARK)];
  const [top, bottom] = [row(y - MARK), row(y + height + MARK)];
  const found = new Set<number>();
  for (let tileRow = top; tileRow <= bottom; tileRow++)
    for (let tile = left; tile <= right; tile++) {
      const depth = Math.min(tile - left, right - tile, tileRow - top, bottom - tileRow);
      if (!hollow || depth <= 1) found.add(tileRow * perRow + tile);
    }
  return found;
}

/** The squares that hold the lowest row of a box. */
export function tilesAtBottom([x, y, width, height]: Box, screenWidth: number): Tiles {
  const perRow = Math.ceil(screenWidth / TILE);
  const row = Math.floor((y + height - 1) / TILE) * perRow;
  const [first, last] = [Math.floor(x / TILE), Math.floor((x + width - 1) / TILE)];
  return new Set(Array.from({ length: last - first + 1 }, (_, index) => row + first + index));
}

export function without(tiles: Tiles, masked: Tiles): Set<number> {
  return new Set([...tiles].filter((tile) => !masked.has(tile)));
}

/** Whether what differs is one thin line. */
export function isLine([, , width, height]: Box): boolean {
  return Math.min(width, height) <= TILE;
}

/** Where two pictures differ: every square, and the box around them all for reports. */
export interface Picture {
  readonly box: Box;
  readonly tiles: Tiles;
  /** Squares in a row of the screen. */
  readonly perRow: number;
}

export function pictureOf(tiles: Tiles, screenWidth: number): Picture | undefined {
  const perRow = Math.ceil(screenWidth / TILE);
  return tiles.size === 0 ? undefined : { box: boxAround(tiles, perRow), tiles, perRow };
}

/** Whether every square of the first is one of the second, or beside one: edges of the same thing may be drawn a little otherwise. */
export function isCovered({ tiles }: Picture, whole: Picture): boolean {
  const near = withNeighbours(whole);
  return [...tiles].every((tile) => near.has(tile));
}

/** Whether a square of the one is a square of the other, or beside one. */
export function isTouching({ tiles }: Picture, other: Picture): boolean {
  const near = withNeighbours(other);
  return [...tiles].some((tile) => near.has(tile));
}

function withNeighbours({ tiles, perRow }: Picture): Tiles {
  const near = new Set<number>();
  for (const tile of tiles) {
    const column = tile % perRow;
    const [first, last] = [Math.max(0, column - 1), Math.min(perRow - 1, column + 1)];
    for (const row of [tile - perRow, tile, tile + perRow])
      for (let at = first; at <= last; at++) near.add(row - column + at);
  }
  return near;
}

/** The place of each square. */
export function squaresOf({ tiles, perRow }: Picture): Box[] {
  return [...tiles].map((tile) => [(tile % perRow) * TILE, Math.floor(tile / perRow) * TILE, TILE, TILE]);
}

function boxAround(tiles: Tiles, perRow: number): Box {
  const columns = [...tiles].map((tile) => tile % perRow);
  const rows = [...tiles].map((tile) => Math.floor(tile / perRow));
  const [left, top] = [Math.min(...columns), Math.min(...rows)];
  return [
    left * TILE,
    top * TILE,
    (Math.max(...columns) - left + 1) * TILE,
    (Math.max(...rows) - top + 1) * TILE,
  ];
}
