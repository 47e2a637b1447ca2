import type { Bounds } from '../../../../model/tree/bounds.ts';
import type { CapturedImage } from '../../../../ports/desktop/capture.ts';

/** Sizes are whole pixels, so a scaled one may be off by one. */
const ROUNDING_PX = 1.5;

/** The box that a picture of this size shows: of some, the first with the same proportions. */
export function boxShown(
  { width, height }: { readonly width: number; readonly height: number },
  boxes: readonly Bounds[],
): Bounds | undefined {
  return boxes.find((box) => Math.abs(height - (box.height * width) / box.width) <= ROUNDING_PX);
}

/** A part of a picture, which must be inside it. */
export function cropped(image: CapturedImage, part: Bounds): CapturedImage {
  const { scale, origin } = image;
  const left = Math.max(0, Math.round((part.x - origin.x) * scale));
  const top = Math.max(0, Math.round((part.y - origin.y) * scale));
  const width = Math.min(image.width - left, Math.round(part.width * scale));
  const height = Math.min(image.height - top, Math.round(part.height * scale));
  if (left === 0 && top === 0 && width === image.width && height === image.height) return image;
  const bgrx = new Uint8Array(width * height * 4);
  for (let y = 0; y < height; y++) {
    const from = ((top + y) * image.width + left) * 4;
    bgrx.set(image.bgrx.subarray(from, from + width * 4), y * width * 4);
  }
  return { ...image, width, height, bgrx, origin: { x: part.x, y: part.y } };
}
