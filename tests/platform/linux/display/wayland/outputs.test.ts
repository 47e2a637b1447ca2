import { describe, expect, it } from 'vitest';
import { requestedArea } from '../../../../../src/platform/linux/display/wayland/requested-area.ts';
import { nearestOn, onScreens, screenOf } from '../../../../../src/platform/linux/display/wayland/outputs.ts';

/** A gap lies below the second and right of it. */
const LEFT = { bounds: { x: -800, y: -100, width: 800, height: 600 }, scale: 2 };
const RIGHT = { bounds: { x: 0, y: 300, width: 1000, height: 700 }, scale: 1.5 };
const SCREENS = [LEFT, RIGHT];

describe('screens', () => {
  it('are needed for the pointer and for pictures: with none, both fail in words', () => {
    const none = { code: 'NOT_ACTIONABLE', delivered: false, retryable: true };
    expect(() => nearestOn([], { x: 5, y: 5 })).toThrow(expect.objectContaining(none));
    for (const target of [{ kind: 'screen' }, { kind: 'screen', monitor: 0 }] as const)
      expect(() => requestedArea(target, [])).toThrow(expect.objectContaining(none));
  });

  it('are told one by one unless there is only one, at the origin', () => {
    expect(screenOf(SCREENS)).toEqual({
      width: 1800,
      height: 1100,
      monitors: [
        { ...LEFT.bounds, scale: 2 },
        { ...RIGHT.bounds, scale: 1.5 },
      ],
    });
    expect(screenOf([RIGHT])).toMatchObject({ monitors: [{ x: 0, y: 300 }] });
    expect(screenOf([{ bounds: { x: 0, y: 0, width: 9, height: 8 }, scale: 1 }])).toEqual({
      width: 9,
      height: 8,
    });
  });

  it.each([
    [
      { x: -1, y: 0 },
      { x: -1, y: 0 },
    ],
    [
      { x: 999.6, y: 999.4 },
      { x: 999, y: 999 },
    ],
    [
      { x: 500, y: 0 },
      { x: 500, y: 300 },
    ],
    [
      { x: 20, y: 0 },
      { x: -1, y: 0 },
    ],
    [
      { x: -300, y: 900 },
      { x: 0, y: 900 },
    ],
    [
      { x: -790, y: 900 },
      { x: -790, y: 499 },
    ],
    [
      { x: 5000, y: 5000 },
      { x: 999, y: 999 },
    ],
  ])('stop a pointer that goes to %o at %o, as it cannot be in a gap', (to, end) => {
    expect(nearestOn(SCREENS, to)).toEqual(end);
  });

  it('show of an area what is on one of them', () => {
    expect(onScreens({ x: -10, y: 290, width: 20, height: 20 }, SCREENS)).toEqual({
      x: -10,
      y: 290,
      width: 20,
      height: 20,
    });
    expect(onScreens({ x: 5, y: 100, width: 20, height: 20 }, SCREENS)).toBeUndefined();
    expect(onScreens({ x: 5, y: 290, width: 20, height: 20 }, SCREENS)).toMatchObject({ y: 300, height: 10 });
  });
});
