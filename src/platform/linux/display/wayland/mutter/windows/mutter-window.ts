import { intersect, type Bounds } from '../../../../../../model/tree/bounds.ts';
import type { Point } from '../../../../../../ports/input.ts';
import type { DisplayPlace, DisplayWindow } from '../../../display.ts';
import type { Actor, ShellView } from './shell-tree.ts';

/** A window of an application that is one of the shell's. */
export interface MutterWindow extends DisplayPlace {
  readonly id: string;
  readonly title: string;
  readonly pid: number;
  readonly active: boolean;
  readonly modal: boolean;
  readonly actor: Actor;
}

/** Everything that is shown. */
export interface MutterView extends ShellView {
  /** Those that could be matched, lowest first. */
  readonly windows: readonly MutterWindow[];
  /** The window that says that it has the keyboard focus, also if it could not be matched. */
  readonly focused: string | undefined;
}

export type PointOwner =
  | { readonly kind: 'window'; readonly window: MutterWindow }
  /** The shell itself, such as its panel. */
  | { readonly kind: 'shell' }
  /** A menu, or a window that could not be matched: it may be anyone's. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'none' };

/** What a click at a point would reach. */
export function ownerAt({ actors, windows, covers }: MutterView, point: Point): PointOwner {
  if (covers.some((box) => contains(box, point))) return { kind: 'shell' };
  for (const actor of actors.toReversed()) {
    const window = windows.find((each) => each.actor.path === actor.path);
    // Clicks go through a shadow.
    if (window !== undefined && contains(drawnPart(window), point)) return { kind: 'window', window };
    if (window === undefined && contains(actor.bounds, point)) return { kind: 'unknown' };
  }
  return { kind: 'none' };
}

/** A window without its shadow. */
function drawnPart({ bounds, shadow }: DisplayPlace): Bounds {
  if (shadow === undefined) return bounds;
  const { left, right, top, bottom } = shadow;
  return {
    x: bounds.x + left,
    y: bounds.y + top,
    width: bounds.width - left - right,
    height: bounds.height - top - bottom,
  };
}

function contains(box: Bounds, { x, y }: Point): boolean {
  return intersect(box, { x, y, width: 1, height: 1 }) !== undefined;
}

export function toDisplayWindow(window: MutterWindow, stacking: number): DisplayWindow {
  const { id, title, pid, active, modal, bounds, shadow } = window;
  return {
    id,
    title,
    pid,
    className: undefined,
    isUserWindow: true,
    active,
    hasInput: active,
    // Those that are minimized are not shown, and Mutter does not tell more.
    minimized: false,
    maximized: false,
    fullscreen: false,
    modal,
    transientFor: undefined,
    stacking,
    bounds,
    shadow,
  };
}

const WINDOW_ID = /^mutter:(\d{1,10}\.\d{1,10})(\/[\w/]{1,400})$/;

/** The public id of a window: that of its object on the accessibility bus, which lives as long as the window. */
export function windowIdOf(bus: string, path: string): string {
  return `mutter:${bus.replace(/^:/, '')}${path}`;
}

export function isWindowId(id: string): boolean {
  return WINDOW_ID.test(id);
}
