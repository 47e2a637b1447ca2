import jpeg from 'jpeg-js';

/** The door to npm `jpeg-js`: RGBA in, file out. */
export function encodeRgba(rgba: Uint8Array, width: number, height: number, quality: number): Buffer {
  return jpeg.encode({ data: rgba, width, height }, quality).data;
}
