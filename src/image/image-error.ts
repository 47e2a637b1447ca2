import { DeskterityError } from '../model/effects/errors.ts';
import type { RawImage } from './types.ts';

/** The bytes or sizes a caller gave are not an image this room can work with. */
export function invalidImage(reason: string, cause?: unknown): DeskterityError {
  return new DeskterityError('INVALID_ARGUMENT', `The image cannot be used: ${reason}.`, {
    suggestion: 'Give a PNG file with 8 bits per channel that is not interlaced, or take a new screenshot.',
    cause,
  });
}

/** @throws DeskterityError INVALID_ARGUMENT when size and pixels do not belong together */
export function requireImage(image: RawImage): void {
  const { width, height, bgrx } = image;
  if (!Number.isInteger(width) || !Number.isInteger(height) || width < 1 || height < 1) {
    throw invalidImage(`its size is ${width}x${height}`);
  }
  if (bgrx.length !== width * height * 4) {
    throw invalidImage(`${bgrx.length} bytes are not ${width}x${height} pixels`);
  }
}
