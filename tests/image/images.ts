import { array, integer, record, type Arbitrary } from 'fast-check';
import type { RawImage } from '../../src/image/raw-image.ts';

/** Property tests run the same cases every time. */
export const SEEDED = { seed: 20_261 };

/** An image of one colour, given as 0xRRGGBB. */
export function plainImage(width: number, height: number, colour = 0xffffff): RawImage {
  const bgrx = new Uint8Array(width * height * 4);
  const pixel = [colour & 0xff, (colour >> 8) & 0xff, (colour >> 16) & 0xff, 255];
  for (let at = 0; at < bgrx.length; at += 4) bgrx.set(pixel, at);
  return { width, height, bgrx, origin: { x: 0, y: 0 }, scale: 1 };
}

/** The colour of a pixel as 0xRRGGBB. */
export function pixelAt(image: RawImage, x: number, y: number): number {
  const at = (y * image.width + x) * 4;
  const [blue = 0, green = 0, red = 0] = image.bgrx.subarray(at, at + 3);
  return (red << 16) | (green << 8) | blue;
}

/** Images whose pixels repeat a few random colours, as screens do; the unused fourth byte is random too. */
export function anyImage(maxSide = 40): Arbitrary<RawImage> {
  return record({
    width: integer({ min: 1, max: maxSide }),
    height: integer({ min: 1, max: maxSide }),
    colours: array(integer({ min: 0, max: 0x7fff_ffff }), { minLength: 1, maxLength: 9 }),
    step: integer({ min: 1, max: 7 }),
    x: integer({ min: -100, max: 100 }),
  }).map(({ width, height, colours, step, x }) => {
    const words = new Uint32Array(width * height);
    for (let at = 0; at < words.length; at += 1) {
      words[at] = colours[Math.floor(at / step) % colours.length] ?? 0;
    }
    return { width, height, bgrx: new Uint8Array(words.buffer), origin: { x, y: -x }, scale: 1 };
  });
}

/** Only the colours: the fourth byte of a pixel is unused. */
export function coloursOf(image: RawImage): number[] {
  return Array.from({ length: image.width * image.height }, (_, index) =>
    pixelAt(image, index % image.width, Math.floor(index / image.width)),
  );
}
