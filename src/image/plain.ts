import { intersect, type Bounds } from '../model/tree/bounds.ts';
import { toImage } from './crop.ts';
import { COLOUR, wordsOf, type RawImage } from './raw-image.ts';

/** Whether a part of the screen has one colour in an image, without what is `ignored`; also if it is not in the image at all. */
export function isPlain(image: RawImage, bounds: Bounds, ignored: readonly Bounds[] = []): boolean {
  const { width, height } = image;
  const area = intersect(toImage(image, bounds), { x: 0, y: 0, width, height });
  if (area === undefined) return true;
  const words = wordsOf(image);
  const outside = ignored.map((part) => toImage(image, part));
  let first: number | undefined;
  for (let y = area.y; y < area.y + area.height; y += 1)
    for (let x = area.x; x < area.x + area.width; x += 1) {
      const colour = (words[y * width + x] ?? 0) & COLOUR;
      if (colour === first || outside.some((box) => isIn(box, x, y))) continue;
      if (first !== undefined) return false;
      first = colour;
    }
  return true;
}

function isIn({ x, y, width, height }: Bounds, left: number, top: number): boolean {
  return left >= x && left < x + width && top >= y && top < y + height;
}
