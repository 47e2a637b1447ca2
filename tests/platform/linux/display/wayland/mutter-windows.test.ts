import { describe, expect, it } from 'vitest';
import {
  contentIn,
  placedIn,
  type Drawing,
} from '../../../../../src/platform/linux/display/wayland/mutter/windows/content-box.ts';
import {
  isWindowId,
  ownerAt,
  windowIdOf,
  type MutterView,
  type MutterWindow,
} from '../../../../../src/platform/linux/display/wayland/mutter/windows/mutter-window.ts';
import { isWindowActor } from '../../../../../src/platform/linux/display/wayland/mutter/windows/shell-nodes.ts';
import { matchWindows } from '../../../../../src/platform/linux/display/wayland/mutter/windows/window-match.ts';

const size = (drawing: Drawing, width: number, height: number, x = 0, y = 0) => ({
  drawing,
  bounds: { x, y, width, height },
});

describe('the place of a window in its buffer', () => {
  const buffer = { x: 100, y: 50, width: 452, height: 399 };

  it('is the whole of it in GTK 3, which counts its shadow', () => {
    expect(contentIn(size('gtk3', 452, 399), buffer)).toEqual({ bounds: buffer, isExact: true });
    expect(contentIn(size('gtk3', 400, 347), buffer)).toBeUndefined();
  });

  it('is inside the shadow in GTK 4, which does not', () => {
    expect(contentIn(size('gtk4', 424, 370), buffer)).toEqual({
      bounds: { x: 114, y: 62, width: 424, height: 370 },
      isExact: true,
    });
    expect(contentIn(size('gtk4', 452, 399), buffer)).toEqual({ bounds: buffer, isExact: true });
    // Of another theme.
    expect(contentIn(size('gtk4', 432, 379), buffer)).toEqual({
      bounds: { x: 110, y: 60, width: 432, height: 379 },
      isExact: false,
    });
  });

  it('is inside borders of one width and below a title bar in Qt', () => {
    // Qt 5 draws 3 and 30, Qt 6.8 draws 11 and 49.
    expect(contentIn(size('qt', 446, 366), buffer)).toEqual({
      bounds: { x: 103, y: 80, width: 446, height: 366 },
      isExact: true,
    });
    expect(contentIn(size('qt', 430, 339), buffer)).toEqual({
      bounds: { x: 111, y: 99, width: 430, height: 339 },
      isExact: true,
    });
    expect(contentIn(size('qt', 447, 366), buffer)).toBeUndefined();
  });

  it('is unknown where the sizes do not agree', () => {
    for (const drawing of ['gtk3', 'gtk4', 'qt', 'other'] as const) {
      expect(contentIn(size(drawing, 453, 399), buffer)).toBeUndefined();
      expect(contentIn(size(drawing, 300, 399), buffer)).toBeUndefined();
      expect(contentIn(size(drawing, 0, 0), buffer)).toBeUndefined();
    }
    expect(contentIn(size('other', 450, 397), buffer)).toBeUndefined();
  });

  it('is what an X11 client says, if it lies inside the frame that Mutter draws', () => {
    expect(placedIn(size('gtk3', 440, 350, 106, 90), buffer)).toEqual({
      bounds: { x: 106, y: 90, width: 440, height: 350 },
      isExact: true,
    });
    expect(placedIn(size('gtk3', 440, 350, 0, 0), buffer)).toBeUndefined();
  });
});

describe('which window is which', () => {
  interface Sized {
    readonly id: string;
    readonly width: number;
    readonly active?: boolean;
  }
  const match = (frames: readonly Sized[], actors: readonly Sized[]): Record<string, string> =>
    Object.fromEntries(
      [
        ...matchWindows({
          frames,
          actors,
          fit: (frame, actor) => {
            const apart = Math.abs(frame.width - actor.width);
            return apart === 0 ? 'exact' : apart < 50 ? 'loose' : 'none';
          },
          isActive: ({ active }) => active === true,
        }),
      ].map(([actor, frame]) => [actor.id, frame.id]),
    );

  it('is told by their size', () => {
    expect(
      match(
        [
          { id: 'a', width: 400 },
          { id: 'b', width: 500 },
        ],
        [
          { id: '2', width: 500 },
          { id: '1', width: 400 },
          { id: 'menu', width: 100 },
        ],
      ),
    ).toEqual({ 1: 'a', 2: 'b' });
  });

  it('is not guessed between windows of one size', () => {
    const actors = [
      { id: '1', width: 400 },
      { id: '2', width: 400 },
    ];
    expect(
      match(
        [
          { id: 'a', width: 400 },
          { id: 'b', width: 400 },
        ],
        actors,
      ),
    ).toEqual({});
  });

  it('is told by the focus, which leaves the other one of two', () => {
    const actors = [
      { id: '1', width: 400 },
      { id: '2', width: 400 },
      { id: 'menu', width: 100 },
    ];
    expect(
      match(
        [
          { id: 'a', width: 400, active: true },
          { id: 'b', width: 400 },
        ],
        actors,
      ),
    ).toEqual({ 2: 'a', 1: 'b' });
  });

  it('is not told by a focus that lies elsewhere than on top', () => {
    const frames = [
      { id: 'a', width: 400, active: true },
      { id: 'b', width: 400 },
      { id: 'c', width: 500 },
    ];
    const actors = [
      { id: '1', width: 400 },
      { id: '2', width: 400 },
      { id: '3', width: 500 },
    ];
    expect(match(frames, actors)).toEqual({ 3: 'c' });
    // Two that claim it.
    expect(
      match(
        frames.map((frame) => ({ ...frame, active: true })),
        actors.slice(0, 2),
      ),
    ).toEqual({});
  });

  it('is told by an exact size before one that is near', () => {
    expect(
      match(
        [
          { id: 'a', width: 400 },
          { id: 'b', width: 410 },
          { id: 'c', width: 600 },
        ],
        [
          { id: '2', width: 410 },
          { id: '1', width: 400 },
          { id: '3', width: 610 },
        ],
      ),
    ).toEqual({ 1: 'a', 2: 'b', 3: 'c' });
  });

  it('leaves out a window that may be the minimized one', () => {
    expect(
      match(
        [
          { id: 'shown', width: 400 },
          { id: 'minimized', width: 400 },
        ],
        [{ id: '1', width: 400 }],
      ),
    ).toEqual({});
  });
});

describe('what a click would reach', () => {
  const lower = { path: '/lower', bounds: { x: 0, y: 32, width: 400, height: 400 } };
  const upper = { path: '/upper', bounds: { x: 200, y: 200, width: 400, height: 400 } };
  const menu = { path: '/menu', bounds: { x: 300, y: 300, width: 50, height: 50 } };
  const windowOf = (id: string, actor: typeof lower): MutterWindow => ({
    id,
    title: id,
    pid: 1,
    active: false,
    modal: false,
    actor,
    bounds: actor.bounds,
    shadow: { left: 20, right: 20, top: 20, bottom: 20 },
  });
  const view: MutterView = {
    actors: [lower, upper, menu],
    covers: [{ x: 0, y: 0, width: 1280, height: 32 }],
    windows: [windowOf('a', lower), windowOf('b', upper)],
    focused: undefined,
  };

  it.each([
    [{ x: 100, y: 100 }, 'a'],
    [{ x: 230, y: 230 }, 'b'],
    // Through the shadow of the upper one.
    [{ x: 210, y: 210 }, 'a'],
  ])('at %o is a window', (point, id) => {
    expect(ownerAt(view, point)).toMatchObject({ kind: 'window', window: { id } });
  });

  it('is unknown at what could be anyone\u2019s, also over a window', () => {
    expect(ownerAt(view, { x: 320, y: 320 })).toEqual({ kind: 'unknown' });
    expect(ownerAt({ ...view, windows: [] }, { x: 10, y: 40 })).toEqual({ kind: 'unknown' });
  });

  it('is the shell at its panel, and nothing beside all windows', () => {
    expect(ownerAt(view, { x: 100, y: 31 })).toEqual({ kind: 'shell' });
    expect(ownerAt(view, { x: 1000, y: 700 })).toEqual({ kind: 'none' });
  });
});

describe('the tree of the shell', () => {
  const bounds = { x: 10, y: 20, width: 300, height: 200 };

  it('has a container and a surface in each window, and none in its background', () => {
    expect(isWindowActor({ bounds }, [{ bounds, surfaces: [bounds] }])).toBe(true);
    expect(isWindowActor({ bounds }, [{ bounds, surfaces: [] }])).toBe(false);
    expect(isWindowActor({ bounds }, [])).toBe(false);
    expect(isWindowActor({ bounds }, [{ bounds, surfaces: [{ ...bounds, width: 10 }] }])).toBe(false);
  });

  it('gives ids that outlive a match, and no others', () => {
    expect(windowIdOf(':1.12', '/org/a11y/atspi/accessible/3')).toBe(
      'mutter:1.12/org/a11y/atspi/accessible/3',
    );
    expect(isWindowId('mutter:1.12/org/a11y/atspi/accessible/3')).toBe(true);
    for (const id of ['mutter:1.12', 'atspi::1.12/a', 'kwin:1', 'mutter:1.12/a b', ''])
      expect(isWindowId(id)).toBe(false);
  });
});
