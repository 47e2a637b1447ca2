import jpeg from 'jpeg-js';
import { requireImage, type RawImage } from './raw-image.ts';

/**
 * A JPEG file; `quality` 1 to 100. Slower than PNG and worse for text.
 * @throws DeskterityError INVALID_ARGUMENT if size and pixels do not match
 */
export function encodeJpeg(image: RawImage, quality = 80): Buffer {
  requireImage(image);
  const { bgrx, width, height } = image;
  const rgba = new Uint8Array(bgrx.length);
  for (let at = 0; at < bgrx.length; at += 4) {
    rgba[at] = bgrx[at + 2] ?? 0;
    rgba[at + 1] = bgrx[at + 1] ?? 0;
    rgba[at + 2] = bgrx[at] ?? 0;
    rgba[at + 3] = 255;
  }
  const whole = Math.min(100, Math.max(1, Math.round(quality)));
  return jpeg.encode({ data: rgba, width, height }, whole).data;
}
