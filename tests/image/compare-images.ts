import { COLOUR, invalidImage, requireImage, wordsOf, type RawImage } from '../../src/image/raw-image.ts';
import type { Bounds } from '../../src/model/tree/bounds.ts';

export interface Comparison {
  readonly changedPixels: number;
  /** Equal pixels of all pixels, 0 to 1. */
  readonly equalRatio: number;
  /** The smallest rectangle that contains every change, in image pixels; absent if nothing changed. */
  readonly changedBounds: Bounds | undefined;
}

/**
 * Compares two images of one size pixel by pixel, without tolerance: screens are rendered exactly.
 * @throws DeskterityError INVALID_ARGUMENT when the sizes differ
 */
export function compareImages(before: RawImage, after: RawImage): Comparison {
  requireImage(before);
  requireImage(after);
  const { width, height } = before;
  if (width !== after.width || height !== after.height) {
    throw invalidImage(`${width}x${height} and ${after.width}x${after.height} pixels cannot be compared`);
  }
  const [a, b] = [wordsOf(before), wordsOf(after)];
  let changedPixels = 0;
  let [left, top, right, bottom] = [width, height, -1, -1];
  for (let y = 0, at = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1, at += 1) {
      if ((((a[at] ?? 0) ^ (b[at] ?? 0)) & COLOUR) === 0) continue;
      changedPixels += 1;
      if (x < left) left = x;
      if (x > right) right = x;
      if (y < top) top = y;
      bottom = y;
    }
  }
  return {
    changedPixels,
    equalRatio: 1 - changedPixels / (width * height),
    changedBounds:
      changedPixels === 0
        ? undefined
        : { x: left, y: top, width: right - left + 1, height: bottom - top + 1 },
  };
}
