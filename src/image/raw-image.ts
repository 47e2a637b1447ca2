import { DeskterityError } from '../model/effects/errors.ts';

/**
 * Raw pixels, four bytes each in the order blue, green, red, unused; rows are not padded. The same shape as the desktop port's
 * CapturedImage, which this room may not import.
 */
export interface RawImage {
  readonly width: number;
  readonly height: number;
  readonly bgrx: Uint8Array;
  /** Screen position of the image's first pixel. */
  readonly origin: { readonly x: number; readonly y: number };
  /** Image pixels per screen pixel. */
  readonly scale: number;
}

/** Pixels as 32-bit numbers 0xXXRRGGBB, which is much faster than bytes; a view where alignment allows, else a copy. Little-endian. */
export function wordsOf(image: Pick<RawImage, 'bgrx'>): Uint32Array {
  const { buffer, byteOffset, byteLength } = image.bgrx;
  if (byteOffset % 4 === 0) return new Uint32Array(buffer, byteOffset, byteLength >> 2);
  return new Uint32Array(image.bgrx.slice().buffer);
}

/** The part of a pixel that is colour: the fourth byte is unused and may hold anything. */
export const COLOUR = 0x00ff_ffff;

/** The error for bytes or sizes that are not a usable image. */
export function invalidImage(reason: string, cause?: unknown): DeskterityError {
  return new DeskterityError('INVALID_ARGUMENT', `The image cannot be used: ${reason}.`, {
    suggestion: 'Give a PNG file with 8 bits per channel that is not interlaced, or take a new screenshot.',
    cause,
  });
}

/** @throws DeskterityError INVALID_ARGUMENT if size and pixels do not match */
export function requireImage(image: RawImage): void {
  const { width, height, bgrx } = image;
  if (!Number.isInteger(width) || !Number.isInteger(height) || width < 1 || height < 1)
    throw invalidImage(`its size is ${width}x${height}`);
  if (bgrx.length !== width * height * 4)
    throw invalidImage(`${bgrx.length} bytes are not ${width}x${height} pixels`);
}
