import type { RawImage } from './types.ts';

/** Pixels as 32-bit numbers 0xXXRRGGBB, which is much faster than bytes; a view where alignment allows, else a copy. Little-endian. */
export function wordsOf(image: Pick<RawImage, 'bgrx'>): Uint32Array {
  const { buffer, byteOffset, byteLength } = image.bgrx;
  if (byteOffset % 4 === 0) return new Uint32Array(buffer, byteOffset, byteLength >> 2);
  return new Uint32Array(image.bgrx.slice().buffer);
}

/** The part of a pixel that is colour: the fourth byte is unused and may hold anything. */
export const COLOUR = 0x00ff_ffff;
