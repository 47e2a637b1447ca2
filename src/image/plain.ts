import { intersect, type Bounds } from '../model/tree/bounds.ts';
import { toImage } from './crop.ts';
import { COLOUR, wordsOf, type RawImage } from './raw-image.ts';

/** Whether a part of the screen has one colour in an image; also if it is not in the image at all. */
export function isPlain(image: RawImage, bounds: Bounds): boolean {
  const { width, height } = image;
  const area = intersect(toImage(image, bounds), { x: 0, y: 0, width, height });
  if (area === undefined) return true;
  const words = wordsOf(image);
  const first = (words[area.y * width + area.x] ?? 0) & COLOUR;
  for (let y = area.y; y < area.y + area.height; y += 1)
    for (let x = area.x; x < area.x + area.width; x += 1)
      if (((words[y * width + x] ?? 0) & COLOUR) !== first) return false;
  return true;
}
