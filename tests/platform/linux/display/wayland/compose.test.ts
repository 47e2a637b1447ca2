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
      { bounds: { x: 0, y: 0, width: 4, height: 6 }, width: 4, height: 6, bgrx: flat(4, 6, 1) },
      { bounds: { x: -4, y: 0, width: 4, height: 3 }, width: 8, height: 6, bgrx: flat(8, 6, 2) },
    ]);
    expect(image).toMatchObject({ width: 16, height: 12, origin: { x: -4, y: 0 }, scale: 2 });
    expect([pixel(image, 0, 0), pixel(image, 7, 5), pixel(image, 8, 0), pixel(image, 15, 11)]).toEqual([
      2, 2, 1, 1,
    ]);
    expect(pixel(image, 0, 6)).toBe(0);
  });

  it('of one screen stay as they are', () => {
    const bgrx = flat(4, 2, 7);
    const bounds = { x: 3, y: 5, width: 4, height: 2 };
    expect(compose(bounds, [{ bounds, width: 4, height: 2, bgrx }])).toEqual({
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
