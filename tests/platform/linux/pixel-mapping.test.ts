import { assert, integer, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isPlace, mappingOfPopup, pixelMapping } from '../../../src/platform/linux/desktop/pixel-mapping.ts';

type Input = Parameters<typeof pixelMapping>[0];

function elementPixels(input: Input, element: Input['frame']) {
  const mapping = pixelMapping(input);
  return mapping?.toPixels(element[mapping.coordinates]);
}

const INT_MIN = -2_147_483_648;

describe('pixelMapping', () => {
  it('places GTK 4 elements inside the shadow shown by a compositor: 482x608 window, extents 61,61,55,67, frame 360x486', () => {
    const input = {
      toolkit: 'gtk4',
      window: { x: 100, y: 50, width: 482, height: 608 },
      gtkFrameExtents: { left: 61, right: 61, top: 55, bottom: 67 },
      frame: {
        screen: { x: 0, y: 0, width: 360, height: 486 },
        window: { x: 0, y: 0, width: 360, height: 486 },
      },
    } as const;
    expect(pixelMapping(input)?.scale).toBe(1);
    expect(elementPixels(input, { window: { x: 12, y: 40, width: 80, height: 30 } })).toEqual({
      x: 173,
      y: 145,
      width: 80,
      height: 30,
    });
    // The frame fills the window except for the shadow on every side.
    expect(elementPixels(input, { window: input.frame.window })).toEqual({
      x: 161,
      y: 105,
      width: 360,
      height: 486,
    });
  });

  it('finds the 5 px border of a GTK 4 window without a compositor, where the property is missing', () => {
    const input = {
      toolkit: 'gtk4',
      window: { x: 200, y: 100, width: 370, height: 496 },
      frame: { window: { x: 0, y: 0, width: 360, height: 486 } },
    } as const;
    expect(elementPixels(input, { window: { x: 10, y: 20, width: 50, height: 25 } })).toEqual({
      x: 215,
      y: 125,
      width: 50,
      height: 25,
    });
  });

  it('scales GTK 4 by GDK_SCALE=2 with and without the frame property', () => {
    const frame = { window: { x: 0, y: 0, width: 360, height: 486 } };
    const element = { window: { x: 10, y: 20, width: 50, height: 25 } };
    const plain = { toolkit: 'gtk4', window: { x: 0, y: 0, width: 740, height: 992 }, frame } as const;
    expect(elementPixels(plain, element)).toEqual({ x: 30, y: 50, width: 100, height: 50 });
    const gtkFrameExtents = { left: 122, right: 122, top: 110, bottom: 134 };
    const shadow = { ...plain, window: { x: 0, y: 0, width: 964, height: 1216 }, gtkFrameExtents } as const;
    expect(elementPixels(shadow, element)).toEqual({ x: 142, y: 150, width: 100, height: 50 });
  });

  it('uses GTK 3 window coordinates, whose frame includes the window manager decoration (+1,+20 under openbox)', () => {
    const input = {
      toolkit: 'gtk3',
      window: { x: 101, y: 120, width: 300, height: 200 },
      frame: { screen: { x: 100, y: 100, width: 302, height: 225 } },
    } as const;
    expect(pixelMapping(input)).toMatchObject({ coordinates: 'window', scale: 1 });
    expect(elementPixels(input, { window: { x: 8, y: 8, width: 90, height: 34 } })).toEqual({
      x: 109,
      y: 128,
      width: 90,
      height: 34,
    });
  });

  it('scales GTK 3 by two: origin + scale * window extents', () => {
    const input = {
      toolkit: 'gtk3',
      window: { x: 101, y: 120, width: 600, height: 400 },
      frame: { screen: { x: 50, y: 50, width: 302, height: 225 } },
    } as const;
    expect(elementPixels(input, { window: { x: 8, y: 8, width: 90, height: 34 } })).toEqual({
      x: 117,
      y: 136,
      width: 180,
      height: 68,
    });
  });

  it('keeps a narrow GTK 3 popup at scale 1 despite its decoration', () => {
    const frame = { screen: { x: 0, y: 0, width: 22, height: 45 } };
    expect(
      pixelMapping({ toolkit: 'gtk3', window: { x: 1, y: 20, width: 20, height: 20 }, frame })?.scale,
    ).toBe(1);
  });

  it('uses Qt screen coordinates, because its window extents are sums', () => {
    const frame = {
      screen: { x: 826, y: 403, width: 268, height: 288 },
      window: { x: 0, y: -20, width: 1094, height: 691 },
    };
    const input = { toolkit: 'qt', window: { x: 826, y: 403, width: 268, height: 288 }, frame } as const;
    expect(pixelMapping(input)).toMatchObject({ coordinates: 'screen', scale: 1 });
    const element = {
      screen: { x: 830, y: 500, width: 40, height: 30 },
      window: { x: 4, y: 97, width: 870, height: 530 },
    };
    expect(elementPixels(input, element)).toEqual({ x: 830, y: 500, width: 40, height: 30 });
  });

  it.each([
    [2, 536],
    [1.5, 402],
    [1.25, 335],
  ])('scales Qt by QT_SCALE_FACTOR=%f: origin + scale * (extents - frame)', (scale, width) => {
    const frame = { screen: { x: 100, y: 60, width: 268, height: 288 } };
    const input = { toolkit: 'qt', window: { x: 200, y: 120, width, height: 288 * scale }, frame } as const;
    expect(pixelMapping(input)?.scale).toBe(scale);
    expect(elementPixels(input, { screen: { x: 108, y: 76, width: 40, height: 20 } })).toEqual({
      x: 200 + 8 * scale,
      y: 120 + 16 * scale,
      width: 40 * scale,
      height: 20 * scale,
    });
  });

  it('uses an odd Qt factor as measured: 800 logical pixels on 960', () => {
    const frame = { screen: { x: 0, y: 0, width: 800, height: 600 } };
    expect(
      pixelMapping({ toolkit: 'qt', window: { x: 0, y: 0, width: 960, height: 720 }, frame })?.scale,
    ).toBeCloseTo(1.2);
  });

  it.each([
    ['of another shape', { x: 0, y: 0, width: 429, height: 158 }],
    ['of the same shape, but far larger', { x: 0, y: 0, width: 200, height: 200 }],
  ])('takes no scale from a frame of one pixel for a window of Qt %s', (_what, window) => {
    const frame = { screen: { x: 0, y: 0, width: 1, height: 1 } };
    expect(pixelMapping({ toolkit: 'qt', window, frame })).toBeUndefined();
    for (const toolkit of ['gtk3', 'other'] as const)
      expect(pixelMapping({ toolkit, window, frame })?.scale).toBe(1);
  });

  it('leaves the screen coordinates of other toolkits unchanged, with or without decoration', () => {
    const frame = { screen: { x: 10, y: 10, width: 802, height: 625 } };
    const input = { toolkit: 'other', window: { x: 11, y: 30, width: 800, height: 600 }, frame } as const;
    expect(elementPixels(input, { screen: { x: 55, y: 66, width: 7, height: 8 } })).toEqual({
      x: 55,
      y: 66,
      width: 7,
      height: 8,
    });
  });

  it.each([
    { x: INT_MIN, y: INT_MIN, width: 10, height: 10 },
    { x: -1, y: -1, width: -1, height: -1 },
    { x: 0, y: 0, width: 0, height: 0 },
    { x: 5, y: 5, width: 10, height: 0 },
    { x: 0, y: 0, width: Number.NaN, height: 5 },
    undefined,
  ])('recognises that %o is not an area', (garbage) => {
    expect(isPlace(garbage)).toBe(false);
    const window = { x: 0, y: 0, width: 360, height: 486 };
    const frame = {
      screen: { x: 0, y: 0, width: 360, height: 486 },
      window: { x: 0, y: 0, width: 360, height: 486 },
    };
    for (const toolkit of ['gtk3', 'gtk4', 'qt', 'other'] as const) {
      const element = { screen: garbage, window: garbage };
      expect(elementPixels({ toolkit, window, frame }, element)).toBeUndefined();
    }
  });

  it('returns no mapping if a needed frame is garbage, and scale 1 if it is not needed', () => {
    const window = { x: 7, y: 9, width: 100, height: 100 };
    const frame = { screen: { x: INT_MIN, y: INT_MIN, width: 1, height: 1 } };
    expect(pixelMapping({ toolkit: 'gtk4', window, frame })).toBeUndefined();
    expect(pixelMapping({ toolkit: 'qt', window, frame })).toBeUndefined();
    expect(pixelMapping({ toolkit: 'gtk3', window, frame })?.scale).toBe(1);
    expect(pixelMapping({ toolkit: 'other', window, frame })?.scale).toBe(1);
  });

  it('keeps adjacent elements adjacent at any scale', () => {
    const number = (min: number, max: number) => integer({ min, max });
    assert(
      property(
        number(0, 900),
        number(1, 200),
        number(1, 200),
        number(400, 3000),
        (x, first, second, width) => {
          const frame = { screen: { x: 30, y: 40, width: 1000, height: 500 } };
          const mapping = pixelMapping({
            toolkit: 'qt',
            window: { x: 60, y: 80, width, height: width / 2 },
            frame,
          });
          const left = mapping?.toPixels({ x, y: 50, width: first, height: 10 });
          const right = mapping?.toPixels({ x: x + first, y: 50, width: second, height: 10 });
          // A sliver of less than a pixel is still shown as one.
          expect(right?.x).toBeGreaterThanOrEqual((left?.x ?? 0) + (left?.width ?? 0) - 1);
          expect(right?.x).toBeLessThanOrEqual((left?.x ?? 0) + (left?.width ?? 0));
        },
      ),
      { seed: 20_261 },
    );
  });

  it('maps back to the element at any scale', () => {
    const number = (min: number, max: number) => integer({ min, max });
    assert(
      property(number(0, 900), number(4, 200), number(400, 3000), (x, size, width) => {
        const mapping = pixelMapping({
          toolkit: 'qt',
          window: { x: 60, y: 80, width, height: width / 2 },
          frame: { screen: { x: 30, y: 40, width: 1000, height: 500 } },
        });
        const element = { x, y: 50, width: size, height: size };
        const pixels = mapping?.toPixels(element) ?? { x: 0, y: 0, width: 0, height: 0 };
        const back = mapping?.fromPixels({
          x: Math.floor(pixels.x + pixels.width / 2),
          y: Math.floor(pixels.y + pixels.height / 2),
        });
        expect(back?.x).toBeGreaterThanOrEqual(x);
        expect(back?.x).toBeLessThan(x + size);
        expect(back?.y).toBeGreaterThanOrEqual(50);
        expect(back?.y).toBeLessThan(50 + size);
      }),
      { seed: 20_262 },
    );
  });

  it('recognises a popup’s accessible window by position and size', () => {
    const popup = { x: 100, y: 200, width: 240, height: 80 };
    const at = (x: number, y: number, width: number, height: number) =>
      mappingOfPopup(popup, { x, y, width, height })?.scale;
    expect(at(100, 200, 240, 80)).toBe(1);
    expect(at(50, 100, 120, 40)).toBe(2);
    expect(at(300, 200, 240, 80)).toBeUndefined();
    expect(at(100, 200, 240, 300)).toBeUndefined();
    expect(at(0, 0, 0, 0)).toBeUndefined();
  });
});
