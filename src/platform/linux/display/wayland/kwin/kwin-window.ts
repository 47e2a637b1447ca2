import { z } from 'zod';
import { intersect, type Bounds } from '../../../../../model/tree/bounds.ts';
import type { DisplayPopup, DisplayWindow } from '../../display.ts';
import type { FramedWindow } from '../framed-window.ts';
import { windowId } from './script-host.ts';

const Box = z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() });

/** A window as our script tells it. */
export const KwinWindow = z.object({
  id: z.string().max(80),
  title: z.string(),
  pid: z.int(),
  className: z.string(),
  active: z.boolean(),
  minimized: z.boolean(),
  fullscreen: z.boolean(),
  maximized: z.boolean(),
  modal: z.boolean(),
  parent: z.string().nullable(),
  stacking: z.int(),
  /** What is seen of it, with a title bar that KWin draws, without a shadow. */
  frame: Box,
  /** What its client draws, with a shadow that it draws itself. */
  buffer: Box,
  isUser: z.boolean(),
  isPopup: z.boolean(),
  isTooltip: z.boolean(),
  isMenu: z.boolean(),
  isShown: z.boolean(),
  canMove: z.boolean(),
  canResize: z.boolean(),
  canMaximize: z.boolean(),
  canMinimize: z.boolean(),
  canClose: z.boolean(),
});
export type KwinWindow = z.output<typeof KwinWindow>;

export const KwinList = z.object({
  windows: z.array(KwinWindow),
  pointer: z.object({ x: z.number(), y: z.number() }),
});

/** Geometry of KWin is fractional on scaled screens. */
export function rounded(box: z.output<typeof Box>): Bounds {
  const x = Math.round(box.x);
  const y = Math.round(box.y);
  return {
    x,
    y,
    width: Math.max(0, Math.round(box.x + box.width) - x),
    height: Math.max(0, Math.round(box.y + box.height) - y),
  };
}

/**
 * What the client draws, without a shadow: a title bar of KWin is in the frame only, a shadow of the client in the buffer only, so it is what both have.
 */
export function contentOf({ frame, buffer }: Pick<KwinWindow, 'frame' | 'buffer'>): Bounds {
  const seen = rounded(frame);
  return intersect(seen, rounded(buffer)) ?? seen;
}

/** By whole pixels, for what windows are asked to do. */
export function framed(window: KwinWindow): FramedWindow {
  return { ...window, frame: rounded(window.frame), content: contentOf(window) };
}

/** Lowest first. */
export function inOrder(windows: readonly KwinWindow[]): readonly KwinWindow[] {
  return windows.toSorted((a, b) => a.stacking - b.stacking);
}

/** The uppermost window or popup at a point, and whether the point is in what its client draws. */
export function windowAt(
  windows: readonly KwinWindow[],
  { x, y }: { readonly x: number; readonly y: number },
): { readonly window: KwinWindow; readonly isContent: boolean } | undefined {
  const contains = (box: Bounds): boolean =>
    x >= box.x && y >= box.y && x < box.x + box.width && y < box.y + box.height;
  const window = windows.findLast((each) => each.isShown && contains(rounded(each.frame)));
  return window && { window, isContent: contains(contentOf(window)) };
}

export function toDisplayWindow(window: KwinWindow, stacking: number): DisplayWindow {
  return {
    id: windowId(window.id),
    title: window.title,
    pid: window.pid > 0 ? window.pid : undefined,
    className: window.className === '' ? undefined : window.className,
    isUserWindow: window.isUser,
    active: window.active,
    hasInput: window.active,
    minimized: window.minimized,
    isHidden: !window.isShown,
    maximized: window.maximized && !window.fullscreen,
    fullscreen: window.fullscreen,
    modal: window.modal,
    transientFor: window.parent === null ? undefined : windowId(window.parent),
    stacking,
    bounds: contentOf(window),
  };
}

export function toDisplayPopup(window: KwinWindow): DisplayPopup {
  return {
    id: windowId(window.id),
    pid: window.pid > 0 ? window.pid : undefined,
    isTooltip: window.isTooltip,
    isMenu: window.isMenu || !window.isTooltip,
    isList: !window.isTooltip,
    transientFor: window.parent === null ? undefined : windowId(window.parent),
    bounds: contentOf(window),
  };
}
