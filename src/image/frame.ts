import type { Bounds } from '../model/tree/bounds.ts';
import { toImage } from './crop.ts';
import { requireImage, wordsOf, type RawImage } from './raw-image.ts';

const COLOUR = 0xffd4_1876;
const THICKNESS = 3;
/** Between the frame and what it is around. */
const GAP = 2;

/** A copy of an image with a frame around a part of the screen. */
export function frame(image: RawImage, bounds: Bounds): RawImage {
  requireImage(image);
  const bgrx = image.bgrx.slice();
  const copy = { ...image, bgrx };
  const words = wordsOf(copy);
  const inner = toImage(image, bounds);
  const away = GAP + THICKNESS;
  const [left, top] = [inner.x - away, inner.y - away];
  const [right, bottom] = [inner.x + inner.width + away, inner.y + inner.height + away];
  for (let y = Math.max(0, top); y < Math.min(image.height, bottom); y += 1) {
    const isEdge = y < top + THICKNESS || y >= bottom - THICKNESS;
    for (let x = Math.max(0, left); x < Math.min(image.width, right); x += 1)
      if (isEdge || x < left + THICKNESS || x >= right - THICKNESS) words[y * image.width + x] = COLOUR;
  }
  return copy;
}
