import { intersect, type Bounds } from '../../../../model/tree/bounds.ts';
import type { CapturedImage } from '../../../../ports/desktop/capture.ts';

/** What one screen shows of an area. */
export interface Part {
  /** In the layout. */
  readonly bounds: Bounds;
  /** Pixels for each of the layout. */
  readonly scale: number;
  readonly width: number;
  readonly height: number;
  readonly bgrx: Uint8Array;
}

/** Memory order of the pixels that compositors offer, by their format number. */
const SWAPPED: Readonly<Record<number, boolean>> = {
  // ARGB8888, XRGB8888
  0: false,
  1: false,
  // ABGR8888, XBGR8888
  [0x3432_4241]: true,
  [0x3432_4258]: true,
};

export function isKnownFormat(format: number): boolean {
  return SWAPPED[format] !== undefined;
}

export interface RawPicture {
  readonly format: number;
  readonly width: number;
  readonly height: number;
  /** Bytes from one row to the next. */
  readonly stride: number;
  readonly isUpsideDown: boolean;
  readonly data: Uint8Array;
}

/** Rows without padding, top first, in the order blue, green, red. */
export function plainPixels({ format, width, height, stride, isUpsideDown, data }: RawPicture): Uint8Array {
  const row = width * 4;
  const isSwapped = SWAPPED[format] === true;
  if (stride === row && !isUpsideDown && !isSwapped) return data;
  const plain = new Uint8Array(row * height);
  for (let y = 0; y < height; y++) {
    const from = (isUpsideDown ? height - 1 - y : y) * stride;
    plain.set(data.subarray(from, from + row), y * row);
  }
  if (isSwapped)
    for (let at = 0; at < plain.length; at += 4) {
      const red = plain[at] ?? 0;
      plain[at] = plain[at + 2] ?? 0;
      plain[at + 2] = red;
    }
  return plain;
}

/**
 * One image of an area from what the screens show of it. Where their scales differ, the finest counts; what no screen shows is black.
 */
export function compose(area: Bounds, parts: readonly Part[]): CapturedImage {
  const [only] = parts;
  const origin = { x: area.x, y: area.y };
  if (only !== undefined && parts.length === 1 && isSame(only.bounds, area))
    return { width: only.width, height: only.height, bgrx: only.bgrx, origin, scale: only.scale };
  const scale = parts.length === 0 ? 1 : Math.max(...parts.map((part) => part.scale));
  const width = Math.round(area.width * scale);
  const height = Math.round(area.height * scale);
  const bgrx = new Uint8Array(width * height * 4);
  for (const part of parts) paint({ bgrx, width, height, area, scale }, part);
  return { width, height, bgrx, origin, scale };
}

interface Canvas {
  readonly bgrx: Uint8Array;
  readonly width: number;
  readonly height: number;
  readonly area: Bounds;
  readonly scale: number;
}

/** Each pixel takes the nearest one of the part. */
function paint({ bgrx, width, height, area, scale }: Canvas, part: Part): void {
  const shared = intersect(area, part.bounds);
  if (shared === undefined) return;
  const to = new Uint32Array(bgrx.buffer, bgrx.byteOffset, width * height);
  const view = new DataView(part.bgrx.buffer, part.bgrx.byteOffset, part.bgrx.byteLength);
  const left = Math.round((shared.x - area.x) * scale);
  const top = Math.round((shared.y - area.y) * scale);
  const right = Math.min(width, Math.round((shared.x + shared.width - area.x) * scale));
  const bottom = Math.min(height, Math.round((shared.y + shared.height - area.y) * scale));
  const step = part.scale / scale;
  const nearest = (at: number, shift: number, length: number): number =>
    Math.min(length - 1, Math.max(0, Math.floor((at + 0.5) * step + shift * part.scale)));
  for (let y = top; y < bottom; y++) {
    const row = nearest(y, area.y - part.bounds.y, part.height) * part.width;
    for (let x = left; x < right; x++)
      to[y * width + x] = view.getUint32((row + nearest(x, area.x - part.bounds.x, part.width)) * 4, true);
  }
}

function isSame(a: Bounds, b: Bounds): boolean {
  return a.x === b.x && a.y === b.y && a.width === b.width && a.height === b.height;
}
