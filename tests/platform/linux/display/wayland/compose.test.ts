import { describe, expect, it } from 'vitest';
import { compose, plainPixels } from '../../../../../src/platform/linux/display/wayland/compose.ts';

/** Pixels of one colour. */
function flat(width: number, height: number, colour: number): Uint8Array {
  return new Uint8Array(new Uint32Array(width * height).fill(colour).buffer);
}

function pixel(image: { readonly bgrx: Uint8Array; readonly width: number }, x: number, y: number): number {
  return new DataView(image.bgrx.buffer, image.bgrx.byteOffset).getUint32((y * image.width + x) * 4, true);
}

describe('pictures of several screens', () => {
  it('are one picture at the finest scale, black where there is no screen', () => {
    const image = compose({ x: -4, y: 0, width: 8, height: 6 }, [
      { bounds: { x: 0, y: 0, width: 4, height: 6 }, scale: 1, width: 4, height: 6, bgrx: flat(4, 6, 1) },
      { bounds: { x: -4, y: 0, width: 4, height: 3 }, scale: 2, width: 8, height: 6, bgrx: flat(8, 6, 2) },
    ]);
    expect(image).toMatchObject({ width: 16, height: 12, origin: { x: -4, y: 0 }, scale: 2 });
    expect([pixel(image, 0, 0), pixel(image, 7, 5), pixel(image, 8, 0), pixel(image, 15, 11)]).toEqual([
      2, 2, 1, 1,
    ]);
    expect(pixel(image, 0, 6)).toBe(0);
  });

  it('of a part of a screen whose scale is not whole begin at its nearest pixel', () => {
    const bgrx = new Uint8Array(Uint32Array.from([0, 1, 2, 3, 4, 5]).buffer);
    const bounds = { x: 10, y: 0, width: 4, height: 1 };
    const image = compose({ x: 11, y: 0, width: 2, height: 1 }, [
      { bounds, scale: 1.5, width: 6, height: 1, bgrx },
    ]);
    expect(image).toMatchObject({ width: 3, origin: { x: 11, y: 0 }, scale: 1.5 });
    expect([0, 1, 2].map((x) => pixel(image, x, 0))).toEqual([2, 3, 4]);
  });

  it('of one screen stay as they are', () => {
    const bgrx = flat(4, 2, 7);
    const bounds = { x: 3, y: 5, width: 4, height: 2 };
    expect(compose(bounds, [{ bounds, scale: 1, width: 4, height: 2, bgrx }])).toEqual({
      width: 4,
      height: 2,
      bgrx,
      origin: { x: 3, y: 5 },
      scale: 1,
    });
  });
});

describe('pixels of a compositor', () => {
  it('lose padding, are turned upright and put in order', () => {
    const data = Uint8Array.from([1, 2, 3, 4, 0, 0, 0, 0, 5, 6, 7, 8, 0, 0, 0, 0]);
    const raw = { format: 1, width: 1, height: 2, stride: 8, isUpsideDown: false, data };
    expect([...plainPixels(raw)]).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect([...plainPixels({ ...raw, isUpsideDown: true })]).toEqual([5, 6, 7, 8, 1, 2, 3, 4]);
    expect([...plainPixels({ ...raw, format: 0x3432_4258 })]).toEqual([3, 2, 1, 4, 7, 6, 5, 8]);
  });
});
