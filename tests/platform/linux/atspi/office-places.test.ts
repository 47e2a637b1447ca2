import { describe, expect, it } from 'vitest';
import { isFilledBy, pointAcross } from '../../../../src/platform/linux/atspi/tree/office-places.ts';

const box = (x: number, y: number, width: number, height: number) => ({ x, y, width, height });
const AT = { x: 1251, y: 212 };

describe('the only child of a box of LibreOffice', () => {
  // The gallery as its side bar cuts it off at the bottom.
  const outer = box(1147, 124, 203, 852);

  it('is what shows in it if it fills it, also if it is cut off or scrolled', () => {
    const inners = [box(1147, 124, 203, 852), box(1147, 124, 203, 867), box(1147, 24, 203, 1200)];
    for (const inner of inners) expect(isFilledBy(outer, inner)).toBe(true);
    expect(isFilledBy(outer, box(1147, 124, 203, 120))).toBe(false);
    expect(isFilledBy(outer, box(1147, 124, 100, 852))).toBe(false);
  });
});

describe('a point in LibreOffice', () => {
  it('moves with its own drawing, which it places at the origin of the window', () => {
    const [outer, inner] = [box(0, 44, 1400, 956), box(0, 19, 1400, 956)];
    expect(pointAcross(AT, AT, { outer, inner, isRoot: true })).toEqual({ x: 1251, y: 187 });
  });

  it('is back where it is on the screen in GTK widgets, also in cut off and scrolled ones', () => {
    const moved = { x: 1251, y: 187 };
    const outer = box(1147, 99, 203, 852);
    for (const inner of [box(1147, 124, 203, 852), box(1147, 124, 203, 867), box(1147, 24, 203, 1200)])
      expect(pointAcross(moved, AT, { outer, inner, isRoot: false })).toEqual(AT);
  });
});
