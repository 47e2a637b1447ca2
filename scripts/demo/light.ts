import { toImage } from '../../src/image/crop.ts';
import { wordsOf, type RawImage } from '../../src/image/raw-image.ts';
import type { Bounds } from '../../src/model/tree/bounds.ts';

/** A warm yellow that no toolkit of the demo uses for a whole widget. */
const LIGHT = 0xff_b0_00;
const GLOW = 0.28;
const RING = 3;
/** The ring stays outside the element, so that its own text is not covered. */
const GAP = 1;

/** A copy of a picture in which one element is lit: tinted, with a ring around it. */
export function lit(image: RawImage, bounds: Bounds): RawImage {
  const bgrx = image.bgrx.slice();
  const pixels = wordsOf({ bgrx });
  const { x, y, width, height } = toImage(image, bounds);
  const reach = RING + GAP;
  for (let row = y - reach; row < y + height + reach; row += 1)
    for (let column = x - reach; column < x + width + reach; column += 1) {
      if (row < 0 || column < 0 || row >= image.height || column >= image.width) continue;
      const isInside = row >= y && row < y + height && column >= x && column < x + width;
      const isRing =
        row < y - GAP || column < x - GAP || row >= y + height + GAP || column >= x + width + GAP;
      const at = row * image.width + column;
      if (isRing) pixels[at] = LIGHT;
      else if (isInside) pixels[at] = mixed(pixels[at] ?? 0, LIGHT, GLOW);
    }
  return { ...image, bgrx };
}

function mixed(under: number, over: number, share: number): number {
  let colour = 0;
  for (const shift of [0, 8, 16]) {
    const [from, to] = [(under >> shift) & 0xff, (over >> shift) & 0xff];
    colour |= Math.round(from + (to - from) * share) << shift;
  }
  return colour;
}
