import { intersect, type Bounds } from '../model/tree/bounds.ts';
import { toImage } from './crop.ts';
import { wordsOf, type RawImage } from './raw-image.ts';

/** A flat grey, which no field is drawn in by accident on both light and dark themes. */
const GREY = 0x00_7f_7f_7f;

/** The image with these parts of the screen in one colour; the same one if none of them is in it. */
export function blank<I extends RawImage>(image: I, parts: readonly Bounds[]): I {
  const { width, height } = image;
  const whole = { x: 0, y: 0, width, height };
  const areas = parts.flatMap((part) => intersect(toImage(image, part), whole) ?? []);
  if (areas.length === 0) return image;
  const bgrx = new Uint8Array(image.bgrx);
  const words = wordsOf({ bgrx });
  for (const { x, y, width: columns, height: rows } of areas)
    for (let row = y; row < y + rows; row += 1) words.fill(GREY, row * width + x, row * width + x + columns);
  return { ...image, bgrx };
}
