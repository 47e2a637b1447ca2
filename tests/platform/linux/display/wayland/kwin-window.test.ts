import { describe, expect, it } from 'vitest';
import { frameFor } from '../../../../../src/platform/linux/display/wayland/framed-window.ts';
import {
  contentOf,
  framed,
  inOrder,
  KwinList,
  rounded,
  toDisplayPopup,
  toDisplayWindow,
  windowAt,
  type KwinWindow,
} from '../../../../../src/platform/linux/display/wayland/kwin/kwin-window.ts';
import { requestFor } from '../../../../../src/platform/linux/display/wayland/kwin/kwin-windows.ts';

/** Mousepad as KWin 5.27 told it: the title bar is KWin's. */
function window(changes: Partial<KwinWindow> = {}): KwinWindow {
  return {
    id: '{134b8827-ad7b-4fe3-bbf0-5ef9db1c4be1}',
    title: 'Untitled 1 - Mousepad',
    pid: 15617,
    className: 'mousepad',
    active: true,
    minimized: false,
    fullscreen: false,
    maximized: false,
    modal: false,
    parent: null,
    stacking: 0,
    frame: { x: 316, y: 143, width: 648, height: 513 },
    buffer: { x: 320, y: 172, width: 640, height: 480 },
    isUser: true,
    isPopup: false,
    isTooltip: false,
    isMenu: false,
    isShown: true,
    canMove: true,
    canResize: true,
    canMaximize: true,
    canMinimize: true,
    canClose: true,
    ...changes,
  };
}

/** GTK 3 with a title bar and a shadow of its own. */
const DECORATED = {
  frame: { x: 100, y: 50, width: 400, height: 347 },
  buffer: { x: 74, y: 27, width: 452, height: 399 },
};

describe('what a client draws', () => {
  it('is without the title bar of KWin, and without a shadow of its own', () => {
    expect(contentOf(window())).toEqual({ x: 320, y: 172, width: 640, height: 480 });
    expect(contentOf(window(DECORATED))).toEqual(DECORATED.frame);
  });

  it('is in whole pixels without gaps on fractional scales', () => {
    expect(rounded({ x: 0.4, y: 10.6, width: 100.2, height: 20.4 })).toEqual({
      x: 0,
      y: 11,
      width: 101,
      height: 20,
    });
  });

  it('is the frame where the buffer is nowhere near, as before the first picture', () => {
    const buffer = { x: 0, y: 0, width: 0, height: 0 };
    expect(contentOf(window({ buffer }))).toEqual(window().frame);
  });

  it('gets a place and a size by its frame', () => {
    expect(frameFor(framed(window()), { kind: 'move', x: 33, y: 77 })).toEqual({
      x: 29,
      y: 48,
      width: 648,
      height: 513,
    });
    expect(frameFor(framed(window()), { kind: 'resize', width: 500, height: 300 })).toEqual({
      x: 316,
      y: 143,
      width: 508,
      height: 333,
    });
    expect(frameFor(framed(window(DECORATED)), { kind: 'move', x: 0, y: 0 })).toEqual({
      x: 0,
      y: 0,
      width: 400,
      height: 347,
    });
  });
});

describe('windows of KWin', () => {
  const lower = window({ stacking: 3 });
  const menu = window({
    id: '{00000000-0000-0000-0000-000000000002}',
    stacking: 9,
    isPopup: true,
    isUser: false,
    isMenu: true,
    parent: lower.id,
    frame: { x: 330, y: 200, width: 100, height: 100 },
    buffer: { x: 330, y: 200, width: 100, height: 100 },
  });

  it('are in order, lowest first, whatever order they are told in', () => {
    expect(inOrder([menu, lower])).toEqual([lower, menu]);
  });

  it('are found at a point: the uppermost that is shown, and whether it is more than the frame', () => {
    const all = [lower, menu];
    expect(windowAt(all, { x: 340, y: 210 })?.window).toBe(menu);
    expect(windowAt([lower, { ...menu, isShown: false }], { x: 340, y: 210 })?.window).toBe(lower);
    expect(windowAt(all, { x: 500, y: 150 })).toEqual({ window: lower, isContent: false });
    expect(windowAt(all, { x: 0, y: 0 })).toBeUndefined();
  });

  it('have public ids without braces, and name their parents by them', () => {
    expect(toDisplayWindow(lower, 0)).toMatchObject({
      id: 'kwin:134b8827-ad7b-4fe3-bbf0-5ef9db1c4be1',
      bounds: { x: 320, y: 172, width: 640, height: 480 },
      active: true,
    });
    expect(toDisplayPopup(menu)).toMatchObject({
      isMenu: true,
      transientFor: 'kwin:134b8827-ad7b-4fe3-bbf0-5ef9db1c4be1',
    });
  });

  it('that fill the screen are not maximized', () => {
    expect(toDisplayWindow(window({ fullscreen: true, maximized: true }), 0).maximized).toBe(false);
  });

  it('that are on another virtual desktop are hidden', () => {
    expect(toDisplayWindow(window({ isShown: false }), 0).isHidden).toBe(true);
    expect(toDisplayWindow(window(), 0).isHidden).toBe(false);
  });

  it('are refused what they do not allow, and what would be undone at once', () => {
    const move = { kind: 'move', x: 0, y: 0 } as const;
    for (const changes of [{ canMove: false }, { maximized: true }, { fullscreen: true }])
      expect(() => requestFor(window(changes), move)).toThrow('KWin cannot move this window');
    expect(() => requestFor(window({ canMaximize: false }), { kind: 'maximize' })).toThrow('cannot maximize');
    expect(requestFor(window({ minimized: true }), { kind: 'minimize' })).toBeUndefined();
    expect(requestFor(window(), move)).toEqual({
      kind: 'place',
      frame: { x: -4, y: -29, width: 648, height: 513 },
    });
  });

  it('that are told in another form are none', () => {
    for (const odd of [
      undefined,
      {},
      { windows: [{}], pointer: { x: 0, y: 0 } },
      { windows: [], pointer: 1 },
    ])
      expect(KwinList.safeParse(odd).success).toBe(false);
  });
});
