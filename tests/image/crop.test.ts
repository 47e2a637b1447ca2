import { assert, integer, pre, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { crop } from '../../src/image/crop.ts';
import { intersect } from '../../src/model/tree/bounds.ts';
import { DeskterityError } from '../../src/model/effects/errors.ts';
import { SEEDED, anyImage, pixelAt, plainImage } from './images.ts';

describe('crop', () => {
  it('keeps every pixel at its place on the screen', () => {
    const place = integer({ min: -140, max: 140 });
    const side = integer({ min: 0, max: 60 });
    assert(
      property(anyImage(), place, place, side, side, (image, x, y, width, height) => {
        const bounds = { x, y, width, height };
        const expected = intersect(bounds, { ...image.origin, width: image.width, height: image.height });
        pre(expected !== undefined);
        const part = crop(image, bounds);
        expect({ ...part.origin, width: part.width, height: part.height }).toEqual(expected);
        for (const [px, py] of [
          [0, 0],
          [part.width - 1, part.height - 1],
        ] as const) {
          const inWhole = pixelAt(
            image,
            px + part.origin.x - image.origin.x,
            py + part.origin.y - image.origin.y,
          );
          expect(pixelAt(part, px, py)).toBe(inWhole);
        }
      }),
      SEEDED,
    );
  });

  it('refuses a part that lies outside', () => {
    expect(() => crop(plainImage(10, 10), { x: 10, y: 0, width: 5, height: 5 })).toThrow(DeskterityError);
  });

  it('counts in screen pixels when the image has another scale', () => {
    const image = { ...plainImage(200, 100), origin: { x: 50, y: 50 }, scale: 2 };
    const part = crop(image, { x: 60, y: 55, width: 20, height: 10 });
    expect([part.width, part.height, part.origin]).toEqual([40, 20, { x: 60, y: 55 }]);
  });
});
