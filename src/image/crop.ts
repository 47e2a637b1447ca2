import { intersect, type Bounds } from '../model/tree/bounds.ts';
import { invalidImage, requireImage, type RawImage } from './raw-image.ts';

/** A rectangle of the screen in image pixels; may extend beyond the image. */
export function toImage(image: Pick<RawImage, 'origin' | 'scale'>, bounds: Bounds): Bounds {
  const { origin, scale } = image;
  const x = Math.round((bounds.x - origin.x) * scale);
  const y = Math.round((bounds.y - origin.y) * scale);
  const right = Math.round((bounds.x + bounds.width - origin.x) * scale);
  const bottom = Math.round((bounds.y + bounds.height - origin.y) * scale);
  return { x, y, width: right - x, height: bottom - y };
}

/**
 * The part of an image that shows `bounds` of the screen.
 * @throws DeskterityError INVALID_ARGUMENT if no part of it is in the image
 */
export function crop(image: RawImage, bounds: Bounds): RawImage {
  requireImage(image);
  const whole = { x: 0, y: 0, width: image.width, height: image.height };
  const area = intersect(toImage(image, bounds), whole);
  if (area === undefined) throw invalidImage('the requested part is outside it');
  const bgrx = new Uint8Array(area.width * area.height * 4);
  for (let y = 0; y < area.height; y += 1) {
    const from = ((area.y + y) * image.width + area.x) * 4;
    bgrx.set(image.bgrx.subarray(from, from + area.width * 4), y * area.width * 4);
  }
  const origin = {
    x: image.origin.x + area.x / image.scale,
    y: image.origin.y + area.y / image.scale,
  };
  return { width: area.width, height: area.height, bgrx, origin, scale: image.scale };
}
