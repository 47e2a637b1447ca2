import { z } from 'zod';
import type { Bounds } from '../../../../../model/tree/bounds.ts';
import type { DisplayWindow } from '../../display.ts';

/** The workspace of hidden windows, which people call minimized. */
const HIDDEN = '__i3_scratch';
/** The screen of that workspace, which nobody sees. */
const HIDDEN_OUTPUT = '__i3';
const XWAYLAND = 'xwayland';
/** Deeper than any real layout; a hostile tree must not exhaust the stack. */
const MAX_DEPTH = 64;

const Box = z.object({ x: z.int(), y: z.int(), width: z.int(), height: z.int() });

/** One node of sway's tree, as far as we need it. */
export interface SwayNode {
  readonly id: number;
  readonly type: string;
  readonly name?: string | null | undefined;
  readonly app_id?: string | null | undefined;
  readonly pid?: number | undefined;
  readonly shell?: string | null | undefined;
  readonly visible?: boolean | undefined;
  readonly focused: boolean;
  readonly fullscreen_mode?: number | undefined;
  readonly rect: z.output<typeof Box>;
  readonly window_rect: z.output<typeof Box>;
  readonly deco_rect: z.output<typeof Box>;
  readonly window_properties?: { readonly class?: string | undefined } | undefined;
  readonly nodes: readonly SwayNode[];
  readonly floating_nodes: readonly SwayNode[];
}

export const SwayNode: z.ZodType<SwayNode> = z.object({
  id: z.int(),
  type: z.string(),
  name: z.string().nullish(),
  app_id: z.string().nullish(),
  pid: z.int().positive().optional(),
  shell: z.string().nullish(),
  visible: z.boolean().optional(),
  focused: z.boolean(),
  fullscreen_mode: z.int().optional(),
  rect: Box,
  window_rect: Box,
  deco_rect: Box,
  window_properties: z.object({ class: z.string().optional() }).optional(),
  get nodes() {
    return z.array(SwayNode);
  },
  get floating_nodes() {
    return z.array(SwayNode);
  },
});

/** A window of the tree. */
export interface SwayWindow {
  readonly id: number;
  readonly title: string;
  readonly pid: number | undefined;
  readonly appId: string | undefined;
  /** Its client uses X11, through Xwayland. */
  readonly isX11: boolean;
  /** What its client draws, without border and title bar, in layout coordinates. */
  readonly bounds: Bounds;
  /** With border and title bar. */
  readonly frame: Bounds;
  readonly focused: boolean;
  readonly fullscreen: boolean;
  /** It has a place of its own, instead of a part of the layout. */
  readonly floating: boolean;
  readonly hidden: boolean;
  /** On a workspace that is shown. */
  readonly visible: boolean;
}

/** All windows, lowest first: tiled ones, floating ones in the order in which they were raised, those that fill the screen. */
export function windowsOf(tree: SwayNode): readonly SwayWindow[] {
  const found: SwayWindow[] = [];
  const visit = (node: SwayNode, place: { depth: number; floating: boolean; hidden: boolean }): void => {
    if (place.depth > MAX_DEPTH) return;
    const hidden = place.hidden || (node.type === 'workspace' && node.name === HIDDEN);
    const floating = place.floating || node.type === 'floating_con';
    if (isWindow(node)) found.push(windowOf(node, floating, hidden));
    for (const child of [...node.nodes, ...node.floating_nodes])
      visit(child, { depth: place.depth + 1, floating, hidden });
  };
  visit(tree, { depth: 0, floating: false, hidden: false });
  const level = ({ floating, fullscreen }: SwayWindow): number => (fullscreen ? 2 : floating ? 1 : 0);
  return found.toSorted((a, b) => level(a) - level(b));
}

function isWindow({ pid, shell, nodes }: SwayNode): boolean {
  return pid !== undefined && nodes.length === 0 && (shell === 'xdg_shell' || shell === XWAYLAND);
}

function windowOf(node: SwayNode, floating: boolean, hidden: boolean): SwayWindow {
  const { rect, window_rect: inner, deco_rect: bar } = node;
  const fullscreen = (node.fullscreen_mode ?? 0) > 0;
  return {
    id: node.id,
    title: node.name ?? '',
    pid: node.pid,
    appId: node.app_id ?? node.window_properties?.class,
    isX11: node.shell === XWAYLAND,
    bounds: {
      x: rect.x + inner.x,
      y: rect.y + inner.y,
      width: Math.max(0, inner.width),
      height: Math.max(0, inner.height),
    },
    frame: {
      x: rect.x,
      y: rect.y - bar.height,
      width: Math.max(0, rect.width),
      height: Math.max(0, rect.height + bar.height),
    },
    focused: node.focused,
    fullscreen,
    floating,
    hidden,
    visible: node.visible === true,
  };
}

/** Where to move the frame so that the client's part is at a point. */
export function framePosition(
  { bounds, frame }: SwayWindow,
  wanted: { readonly x: number; readonly y: number },
): { readonly x: number; readonly y: number } {
  return { x: wanted.x - (bounds.x - frame.x), y: wanted.y - (bounds.y - frame.y) };
}

/** The size of the frame so that the client's part has a size. */
export function frameSize(
  { bounds, frame }: SwayWindow,
  wanted: { readonly width: number; readonly height: number },
): { readonly width: number; readonly height: number } {
  return {
    width: wanted.width + frame.width - bounds.width,
    height: wanted.height + frame.height - bounds.height,
  };
}

/** The uppermost window at a point on a screen, and whether the point is in what its client draws. */
export function windowAt(
  tree: SwayNode,
  { x, y }: { readonly x: number; readonly y: number },
): { readonly window: SwayWindow; readonly isContent: boolean } | undefined {
  const contains = (box: Bounds): boolean =>
    x >= box.x && y >= box.y && x < box.x + box.width && y < box.y + box.height;
  const isOnScreen = tree.nodes.some(
    ({ type, name, rect }) => type === 'output' && name !== HIDDEN_OUTPUT && contains(rect),
  );
  if (!isOnScreen) return undefined;
  const window = windowsOf(tree).findLast(({ visible, frame }) => visible && contains(frame));
  return window && { window, isContent: contains(window.bounds) };
}

const WINDOW_ID = /^sway:(\d{1,15})$/;

/** The public id of a window. */
export function windowIdOf({ id }: Pick<SwayWindow, 'id'>): string {
  return `sway:${id}`;
}

/** The number in a public id; absent for one that is not of sway. */
export function numberIn(id = ''): number | undefined {
  const digits = WINDOW_ID.exec(id)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

export function toDisplayWindow(window: SwayWindow, stacking: number): DisplayWindow {
  return {
    id: windowIdOf(window),
    title: window.title,
    pid: window.pid,
    className: window.appId,
    isUserWindow: true,
    active: window.focused,
    hasInput: window.focused,
    minimized: window.hidden,
    isHidden: !window.visible,
    // Sway has no such state.
    maximized: false,
    fullscreen: window.fullscreen,
    // Known to the client only; accessibility tells.
    modal: false,
    transientFor: undefined,
    stacking,
    bounds: window.bounds,
  };
}
