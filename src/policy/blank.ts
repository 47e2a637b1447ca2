import type { Bounds } from '../model/tree/bounds.ts';
import type { CapturedImage } from '../ports/desktop/capture.ts';

/** Grey, so that it is not mistaken for a dark window. */
const GREY = 0x80;
/** The frame that the window manager draws around a window, in which its title is. */
const FRAME = 48;

/** A copy of a picture in which nothing is shown of these places of the screen, with the frames around them. */
export function blank(image: CapturedImage, places: readonly Bounds[]): CapturedImage {
  const bgrx = new Uint8Array(image.bgrx);
  for (const place of places) {
    const { origin, scale, width, height } = image;
    const left = clamp(Math.floor((place.x - FRAME - origin.x) * scale), width);
    const right = clamp(Math.ceil((place.x + place.width + FRAME - origin.x) * scale), width);
    const top = clamp(Math.floor((place.y - FRAME - origin.y) * scale), height);
    const bottom = clamp(Math.ceil((place.y + place.height + FRAME - origin.y) * scale), height);
    for (let row = top; row < bottom; row += 1)
      bgrx.fill(GREY, (row * width + left) * 4, (row * width + right) * 4);
  }
  return { ...image, bgrx };
}

function clamp(value: number, most: number): number {
  return Math.max(0, Math.min(most, value));
}
