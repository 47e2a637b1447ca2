import { describe, expect, it } from 'vitest';
import { mayHaveInset, surfaceMapping } from '../../../src/platform/linux/desktop/surface-mapping.ts';

/** What sway says of a window. */
const WINDOW = { x: 170, y: 50, width: 940, height: 700 };
const BUTTON = { width: 80, height: 30 };

describe('places where clients do not know theirs', () => {
  // Recorded with field notes: frame and element as each toolkit reports them.
  it.each([
    [
      'gtk3',
      { x: 0, y: 0, width: 940, height: 700 },
      undefined,
      { x: 12, y: 40 },
      'screen',
      { x: 182, y: 90 },
    ],
    // A shadow of 26 and 23 pixels counts as part of the window.
    [
      'gtk3',
      { x: 0, y: 0, width: 992, height: 752 },
      { x: 26, y: 23 },
      { x: 38, y: 63 },
      'screen',
      { x: 182, y: 90 },
    ],
    [
      'gtk4',
      { x: 0, y: 0, width: 940, height: 700 },
      undefined,
      { x: 12, y: 40 },
      'window',
      { x: 182, y: 90 },
    ],
    ['qt', { x: 0, y: 0, width: 940, height: 700 }, undefined, { x: 11, y: 30 }, 'screen', { x: 181, y: 80 }],
    // Qt adds the place of the output that the window is on.
    [
      'qt',
      { x: 1280, y: 0, width: 940, height: 700 },
      undefined,
      { x: 1291, y: 30 },
      'screen',
      { x: 181, y: 80 },
    ],
  ] as const)('%s %o', (toolkit, frame, inset, element, coordinates, place) => {
    const mapping = surfaceMapping({ toolkit, window: WINDOW, frame, inset });
    expect(mapping?.coordinates).toBe(coordinates);
    expect(mapping?.toPixels({ ...element, ...BUTTON })).toEqual({ ...place, ...BUTTON });
    expect(mapping?.fromPixels(place)).toEqual(element);
  });

  it('are unknown if the window reports none', () => {
    const frame = { x: -2_147_483_648, y: 0, width: 0, height: 0 };
    expect(surfaceMapping({ toolkit: 'qt', window: WINDOW, frame })).toBeUndefined();
    expect(surfaceMapping({ toolkit: 'other', window: WINDOW, frame: undefined })).toBeUndefined();
  });

  it('need a look at the shadow only where there may be one', () => {
    const larger = { x: 0, y: 0, width: 992, height: 752 };
    expect(mayHaveInset({ toolkit: 'gtk3', window: WINDOW, frame: larger })).toBe(true);
    // Wider than its tile, but not higher: no shadow.
    expect(mayHaveInset({ toolkit: 'gtk3', window: WINDOW, frame: { ...larger, height: 700 } })).toBe(false);
    expect(mayHaveInset({ toolkit: 'qt', window: WINDOW, frame: larger })).toBe(false);
  });
});
