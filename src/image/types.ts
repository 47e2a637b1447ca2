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
