import { describe, expect, it } from 'vitest';
import { boxShown, cropped } from '../../../../../src/platform/linux/display/wayland/cropping.ts';

/** GNOME's calculator under KWin 5.27: without and with the shadow that it draws. */
const CONTENT = { x: 200, y: 150, width: 360, height: 489 };
const BUFFER = { x: 186, y: 138, width: 388, height: 518 };

describe('what a picture of a window shows', () => {
  it('is told by its proportions, at any scale', () => {
    expect(boxShown({ width: 360, height: 489 }, [CONTENT, BUFFER])).toBe(CONTENT);
    expect(boxShown({ width: 388, height: 518 }, [CONTENT, BUFFER])).toBe(BUFFER);
    expect(boxShown({ width: 485, height: 647 }, [CONTENT, BUFFER])).toBe(BUFFER);
    expect(boxShown({ width: 100, height: 100 }, [CONTENT, BUFFER])).toBeUndefined();
  });

  it('is cut down to the part that is wanted', () => {
    const pixels = Uint8Array.from({ length: 4 * 3 * 4 }, (_, at) => Math.floor(at / 4));
    const image = { width: 4, height: 3, bgrx: pixels, origin: { x: 10, y: 20 }, scale: 1 };
    expect(cropped(image, { x: 11, y: 21, width: 2, height: 2 })).toMatchObject({
      width: 2,
      height: 2,
      origin: { x: 11, y: 21 },
      bgrx: Uint8Array.from([5, 6, 9, 10].flatMap((pixel) => [pixel, pixel, pixel, pixel])),
    });
    expect(cropped(image, { x: 10, y: 20, width: 4, height: 3 })).toBe(image);
    expect(cropped({ ...image, scale: 2 }, { x: 11, y: 20, width: 1, height: 1 })).toMatchObject({
      width: 2,
      height: 2,
    });
  });
});
