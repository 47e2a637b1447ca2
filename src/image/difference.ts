import type { Bounds } from '../model/tree/bounds.ts';
import { toImage } from './crop.ts';
import { COLOUR, wordsOf, type RawImage } from './raw-image.ts';

/** A part of the screen that looks different in two images. */
export interface ChangedRegion {
  /** On the screen. */
  readonly bounds: Bounds;
  /** How many of its pixels changed. */
  readonly pixels: number;
  /** Only its rim changed, as around what has the focus. */
  readonly isFrame: boolean;
}

/** Smoothing and dithering differ by less, of 255, from one painting to the next. */
const SAME_SHADE = 12;
const TILE = 8;
/** What is at most this many tiles apart is one region: the letters of a line. */
const NEAR = 2;
/** How thick a frame is at most. */
const RIM = 4;
const SMALLEST_FRAME = 16;

interface Found {
  left: number;
  top: number;
  right: number;
  bottom: number;
  pixels: number;
}

/**
 * Where two images of one place differ, without the parts in `ignored`; `undefined` if they are not of one place. What is close together is one
 * region.
 */
export function changedRegions(
  before: RawImage,
  after: RawImage,
  ignored: readonly Bounds[] = [],
): readonly ChangedRegion[] | undefined {
  const { width, height, origin, scale } = before;
  if (after.width !== width || after.height !== height || after.scale !== scale) return undefined;
  if (after.origin.x !== origin.x || after.origin.y !== origin.y) return undefined;
  const [old, now] = [wordsOf(before), wordsOf(after)];
  const outside = ignored.map((bounds) => toImage(before, bounds));
  const hasChanged = (x: number, y: number): boolean => {
    const at = y * width + x;
    const [was = 0, is = 0] = [old[at], now[at]];
    return was !== is && isOtherShade(was & COLOUR, is & COLOUR) && !outside.some((box) => isIn(box, x, y));
  };
  const columns = Math.ceil(width / TILE);
  const tiles = new Map<number, Found>();
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const at = y * width + x;
      if (old[at] === now[at] || !hasChanged(x, y)) continue;
      const tile = Math.floor(y / TILE) * columns + Math.floor(x / TILE);
      const known = tiles.get(tile);
      if (known) widen(known, { left: x, top: y, right: x + 1, bottom: y + 1, pixels: 1 });
      else tiles.set(tile, { left: x, top: y, right: x + 1, bottom: y + 1, pixels: 1 });
    }
  return joined(tiles, columns).map(({ left, top, right, bottom, pixels }) => ({
    bounds: {
      x: Math.round(origin.x + left / scale),
      y: Math.round(origin.y + top / scale),
      width: Math.round((right - left) / scale),
      height: Math.round((bottom - top) / scale),
    },
    pixels,
    isFrame: isFrame({ left, top, right, bottom }, hasChanged),
  }));
}

function isOtherShade(was: number, is: number): boolean {
  for (const shift of [0, 8, 16])
    if (Math.abs(((was >> shift) & 0xff) - ((is >> shift) & 0xff)) > SAME_SHADE) return true;
  return false;
}

function isIn({ x, y, width, height }: Bounds, left: number, top: number): boolean {
  return left >= x && left < x + width && top >= y && top < y + height;
}

function widen(into: Found, part: Found): void {
  into.left = Math.min(into.left, part.left);
  into.top = Math.min(into.top, part.top);
  into.right = Math.max(into.right, part.right);
  into.bottom = Math.max(into.bottom, part.bottom);
  into.pixels += part.pixels;
}

function joined(tiles: Map<number, Found>, columns: number): Found[] {
  const regions: Found[] = [];
  const open = new Map(tiles);
  for (const start of tiles.keys()) {
    const region = open.get(start);
    if (region === undefined) continue;
    open.delete(start);
    const queue = [start];
    for (let tile = queue.pop(); tile !== undefined; tile = queue.pop()) {
      const column = tile % columns;
      for (let down = -NEAR; down <= NEAR; down += 1)
        for (let across = -NEAR; across <= NEAR; across += 1) {
          if (column + across < 0 || column + across >= columns) continue;
          const other = tile + down * columns + across;
          const found = open.get(other);
          if (found === undefined) continue;
          open.delete(other);
          widen(region, found);
          queue.push(other);
        }
    }
    regions.push(region);
  }
  return regions;
}

function isFrame(
  { left, top, right, bottom }: Omit<Found, 'pixels'>,
  hasChanged: (x: number, y: number) => boolean,
): boolean {
  if (right - left < SMALLEST_FRAME || bottom - top < SMALLEST_FRAME) return false;
  for (let y = top + RIM; y < bottom - RIM; y += 1)
    for (let x = left + RIM; x < right - RIM; x += 1) if (hasChanged(x, y)) return false;
  return true;
}
