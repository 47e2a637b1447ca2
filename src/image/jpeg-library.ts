import jpeg from 'jpeg-js';

/** Encodes RGBA pixels; the only import of npm `jpeg-js`. */
export function encodeRgba(rgba: Uint8Array, width: number, height: number, quality: number): Buffer {
  return jpeg.encode({ data: rgba, width, height }, quality).data;
}
