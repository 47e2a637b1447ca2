import { describe, expect, it } from 'vitest';
import {
  framePosition,
  frameSize,
  numberIn,
  SwayNode,
  toDisplayWindow,
  windowAt,
  windowIdOf,
  windowsOf,
} from '../../../../../src/platform/linux/display/wayland/wlroots/sway-tree.ts';
import { commandsFor } from '../../../../../src/platform/linux/display/wayland/wlroots/sway-windows.ts';

const NOWHERE = { x: 0, y: 0, width: 0, height: 0 };

function node(fields: Record<string, unknown>): Record<string, unknown> {
  return {
    type: 'con',
    focused: false,
    rect: NOWHERE,
    window_rect: NOWHERE,
    deco_rect: NOWHERE,
    nodes: [],
    floating_nodes: [],
    ...fields,
  };
}

/** A floating window with a title bar, as sway 1.7 tells of it. */
const FLOATING = node({
  id: 5,
  type: 'floating_con',
  name: 'Floating',
  pid: 500,
  shell: 'xdg_shell',
  app_id: 'org.example',
  visible: true,
  focused: true,
  rect: { x: 168, y: 50, width: 944, height: 702 },
  window_rect: { x: 2, y: 0, width: 940, height: 700 },
  deco_rect: { x: 168, y: 25, width: 944, height: 25 },
});
const TILED = node({
  id: 6,
  name: 'Tiled',
  pid: 600,
  shell: 'xdg_shell',
  visible: true,
  rect: { x: 0, y: 0, width: 1280, height: 800 },
  window_rect: { x: 0, y: 0, width: 1280, height: 800 },
});
const HIDDEN = node({ id: 7, type: 'floating_con', name: null, pid: 700, shell: 'xwayland', visible: false });

const TREE = SwayNode.parse(
  node({
    id: 1,
    type: 'root',
    nodes: [
      node({
        id: 2,
        type: 'output',
        name: '__i3',
        nodes: [node({ id: 3, type: 'workspace', name: '__i3_scratch', floating_nodes: [HIDDEN] })],
      }),
      node({
        id: 4,
        type: 'output',
        rect: { x: 0, y: 0, width: 1100, height: 800 },
        nodes: [node({ id: 8, type: 'workspace', nodes: [TILED], floating_nodes: [FLOATING] })],
      }),
    ],
  }),
);
const windows = windowsOf(TREE);
const [tiled, hidden, floating] = windows;

describe('the tree of sway', () => {
  it('are hidden while their workspace is not shown', () => {
    const hidden = windowsOf(TREE).map((window) => toDisplayWindow(window, 0).isHidden);
    expect(hidden).toEqual(windowsOf(TREE).map(({ visible }) => !visible));
    expect(hidden).toContain(true);
    expect(hidden).toContain(false);
  });

  it('has windows, the lowest first', () => {
    expect(
      windows.map(({ title, floating: isFloating, hidden: isHidden }) => [title, isFloating, isHidden]),
    ).toEqual([
      ['Tiled', false, false],
      ['', true, true],
      ['Floating', true, false],
    ]);
  });

  it('tells what the client draws, and the frame around it', () => {
    expect(floating).toMatchObject({
      bounds: { x: 170, y: 50, width: 940, height: 700 },
      frame: { x: 168, y: 25, width: 944, height: 727 },
    });
    if (floating === undefined) throw new Error('no window');
    expect(framePosition(floating, { x: 33, y: 77 })).toEqual({ x: 31, y: 52 });
    expect(frameSize(floating, { width: 900, height: 650 })).toEqual({ width: 904, height: 677 });
  });

  it('tells which windows use X11', () => {
    expect(windows.map(({ id, isX11 }) => [id, isX11])).toEqual([
      [6, false],
      [7, true],
      [5, false],
    ]);
  });

  it('tells which window is at a point', () => {
    expect(windowAt(TREE, { x: 500, y: 300 })).toMatchObject({ window: { id: 5 }, isContent: true });
    expect(windowAt(TREE, { x: 500, y: 30 })).toMatchObject({ window: { id: 5 }, isContent: false });
    expect(windowAt(TREE, { x: 5, y: 5 })).toMatchObject({ window: { id: 6 }, isContent: true });
    expect(windowAt(TREE, { x: 2000, y: 5 })).toBeUndefined();
  });

  it('is refused if it is none', () => {
    expect(SwayNode.safeParse({ id: 'x' }).success).toBe(false);
    expect(SwayNode.safeParse(node({ id: 1, nodes: 'many' })).success).toBe(false);
  });

  it('gives windows ids that lead back', () => {
    expect(numberIn(windowIdOf({ id: 5 }))).toBe(5);
    for (const id of ['x11:0x5', 'sway:', 'sway:1;kill', 'sway:99999999999999999999', ''])
      expect(numberIn(id)).toBeUndefined();
  });
});

describe('requests to sway', () => {
  it.each([
    ['focus', floating, ['focus']],
    ['focus', hidden, ['scratchpad show', 'focus']],
    ['minimize', floating, ['move scratchpad']],
    ['minimize', hidden, []],
    ['restore', hidden, ['scratchpad show']],
    ['restore', floating, []],
    ['close', tiled, ['kill']],
  ] as const)('%s', (kind, window, commands) => {
    if (window === undefined) throw new Error('no window');
    expect(commandsFor(window, { kind })).toEqual(commands);
  });

  it.each([
    [{ kind: 'minimize' }, 'tiled'],
    [{ kind: 'move', x: 1, y: 2 }, 'tiled'],
    [{ kind: 'resize', width: 1, height: 2 }, 'tiled'],
    [{ kind: 'maximize' }, 'maximize'],
  ] as const)('%o is refused for a tiled window', (request, word) => {
    if (tiled === undefined) throw new Error('no window');
    expect(() => commandsFor(tiled, request)).toThrow(word);
  });
});
