import { describe, expect, it } from 'vitest';
import { changedRegions } from '../../src/image/difference.ts';
import type { RawImage } from '../../src/image/raw-image.ts';
import type { Bounds } from '../../src/model/tree/bounds.ts';
import { plainImage } from './images.ts';

const BLACK = 0;

/** A white image at 100,50 of the screen with filled rectangles, in image pixels. */
function drawn(...parts: readonly (Bounds & { readonly colour?: number })[]): RawImage {
  const image = { ...plainImage(200, 120), origin: { x: 100, y: 50 } };
  for (const { x, y, width, height, colour = BLACK } of parts)
    for (let row = y; row < y + height; row += 1)
      for (let column = x; column < x + width; column += 1)
        for (const [byte, shift] of [0, 8, 16].entries())
          image.bgrx[(row * image.width + column) * 4 + byte] = (colour >> shift) & 0xff;
  return image;
}

describe('what differs between two images', () => {
  it('is nothing if they are equal, or differ by less than a shade', () => {
    expect(changedRegions(drawn(), drawn())).toEqual([]);
    const faint = { x: 0, y: 0, width: 50, height: 50, colour: 0xf8f8f8 };
    expect(changedRegions(drawn(), drawn(faint))).toEqual([]);
  });

  it('is told in places of the screen, exactly', () => {
    const regions = changedRegions(drawn(), drawn({ x: 10, y: 20, width: 30, height: 5 }));
    expect(regions).toEqual([
      { bounds: { x: 110, y: 70, width: 30, height: 5 }, pixels: 150, isFrame: false },
    ]);
  });

  it('is one region for letters side by side, and several for what is apart', () => {
    const letters = [0, 12, 24].map((x) => ({ x, y: 0, width: 6, height: 8 }));
    const apart = { x: 150, y: 90, width: 9, height: 9 };
    const regions = changedRegions(drawn(), drawn(...letters, apart));
    expect(regions?.map(({ bounds }) => bounds)).toEqual([
      { x: 100, y: 50, width: 30, height: 8 },
      { x: 250, y: 140, width: 9, height: 9 },
    ]);
  });

  it('leaves out what is ignored, on the screen', () => {
    const now = drawn({ x: 10, y: 20, width: 30, height: 20 });
    expect(changedRegions(drawn(), now, [{ x: 110, y: 70, width: 30, height: 20 }])).toEqual([]);
    const [rest] = changedRegions(drawn(), now, [{ x: 0, y: 0, width: 130, height: 500 }]) ?? [];
    expect(rest?.bounds).toEqual({ x: 130, y: 70, width: 10, height: 20 });
  });

  it('is a frame if only its rim differs', () => {
    const ring = [
      { x: 10, y: 10, width: 60, height: 2 },
      { x: 10, y: 38, width: 60, height: 2 },
      { x: 10, y: 10, width: 2, height: 30 },
      { x: 68, y: 10, width: 2, height: 30 },
    ];
    expect(changedRegions(drawn(), drawn(...ring))).toMatchObject([{ isFrame: true }]);
    const filled = { x: 30, y: 20, width: 4, height: 4 };
    expect(changedRegions(drawn(), drawn(...ring, filled))).toMatchObject([{ isFrame: false }]);
  });

  it('is unknown for images of other places or sizes', () => {
    expect(changedRegions(drawn(), { ...drawn(), origin: { x: 101, y: 50 } })).toBeUndefined();
    expect(changedRegions(drawn(), plainImage(20, 20))).toBeUndefined();
  });
});
