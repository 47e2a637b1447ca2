import { assert, double, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shrink } from '../../src/image/shrink.ts';
import type { RawImage } from '../../src/image/raw-image.ts';
import { DeskterityError } from '../../src/model/effects/errors.ts';
import { anyImage, pixelAt, plainImage, SEEDED } from './images.ts';

/** How much of the pixel `at` of an image falls into the pixel `small` of a smaller one. */
function shared(at: number, small: number, factor: number): number {
  return Math.max(0, Math.min((at + 1) * factor, small + 1) - Math.max(at * factor, small));
}

/** The red of one pixel by the definition: the average over the area that it covers. */
function redByArea(image: RawImage, x: number, y: number, factor: number): number {
  let [sum, area] = [0, 0];
  for (let row = 0; row < image.height; row += 1) {
    for (let column = 0; column < image.width; column += 1) {
      const part = shared(column, x, factor) * shared(row, y, factor);
      sum += part * (pixelAt(image, column, row) >> 16);
      area += part;
    }
  }
  return sum / area;
}

describe('shrink', () => {
  it('makes every pixel the average of the area that it stands for', () => {
    assert(
      property(anyImage(24), double({ min: 0.05, max: 0.999, noNaN: true }), (image, factor) => {
        const small = shrink(image, factor);
        expect([small.width, small.height]).toEqual([
          Math.ceil(image.width * factor - 1e-9),
          Math.ceil(image.height * factor - 1e-9),
        ]);
        expect(small).toMatchObject({ origin: image.origin, scale: factor });
        for (const [x, y] of [
          [0, 0],
          [small.width - 1, small.height - 1],
          [small.width >> 1, small.height >> 1],
        ] as const) {
          const expected = redByArea(image, x, y, factor);
          expect(Math.abs((pixelAt(small, x, y) >> 16) - expected)).toBeLessThan(0.501);
        }
      }),
      SEEDED,
    );
  });

  it('keeps every colour where there is only one, to the last row and column', () => {
    for (const factor of [0.1, 0.3, 1 / 3, 0.5, 0.999]) {
      const small = shrink(plainImage(101, 67, 0x12_80_ff), factor);
      for (let y = 0; y < small.height; y += 1)
        for (let x = 0; x < small.width; x += 1) expect(pixelAt(small, x, y)).toBe(0x12_80_ff);
    }
  });

  it('keeps the scale of the image it is given', () => {
    expect(shrink({ ...plainImage(40, 20), scale: 2 }, 0.5)).toMatchObject({
      width: 20,
      height: 10,
      scale: 1,
    });
  });

  it('does not enlarge, and refuses what is no image', () => {
    const image = plainImage(8, 8);
    expect(shrink(image, 1)).toBe(image);
    expect(shrink(image, 3)).toBe(image);
    expect(() => shrink({ ...image, width: 9 }, 0.5)).toThrow(DeskterityError);
  });
});
