import { assert, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareImages } from './compare-images.ts';
import { DeskterityError } from '../../src/model/effects/errors.ts';
import { SEEDED, anyImage, plainImage } from './images.ts';

describe('compareImages', () => {
  it('finds nothing between an image and itself, whatever the unused byte holds', () => {
    assert(
      property(anyImage(), (image) => {
        const other = image.bgrx.slice();
        for (let at = 3; at < other.length; at += 4) other[at] = 255 - (other[at] ?? 0);
        expect(compareImages(image, { ...image, bgrx: other })).toEqual({
          changedPixels: 0,
          equalRatio: 1,
          changedBounds: undefined,
        });
      }),
      SEEDED,
    );
  });

  it('gives the smallest rectangle around all changes', () => {
    const before = plainImage(20, 10);
    const bgrx = before.bgrx.slice();
    bgrx[(3 * 20 + 4) * 4] = 0;
    bgrx[(7 * 20 + 2) * 4 + 2] = 0;
    expect(compareImages(before, { ...before, bgrx })).toEqual({
      changedPixels: 2,
      equalRatio: 0.99,
      changedBounds: { x: 2, y: 3, width: 3, height: 5 },
    });
  });

  it('refuses images of different sizes', () => {
    expect(() => compareImages(plainImage(2, 2), plainImage(2, 3))).toThrow(DeskterityError);
  });
});
