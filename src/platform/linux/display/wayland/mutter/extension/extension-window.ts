import { z } from 'zod';
import { intersect, type Bounds } from '../../../../../../model/tree/bounds.ts';
import type { DisplayPopup, DisplayWindow } from '../../../display.ts';

const Box = z.object({
  x: z.int(),
  y: z.int(),
  width: z.int().nonnegative(),
  height: z.int().nonnegative(),
});
const Id = z.string().regex(/^\d{1,20}$/);

/** A window as our extension tells it. */
const ExtensionWindow = z.object({
  id: Id,
  title: z.string(),
  pid: z.int(),
  className: z.string(),
  instanceName: z.string(),
  /** Of Xwayland. */
  isX11: z.boolean(),
  stacking: z.int(),
  /** What is seen of it, with its title bar, without a shadow. */
  frame: Box,
  /** What its client draws, with a shadow that it draws itself. */
  client: Box,
  active: z.boolean(),
  minimized: z.boolean(),
  maximized: z.boolean(),
  fullscreen: z.boolean(),
  modal: z.boolean(),
  parent: Id.nullable(),
  isUser: z.boolean(),
  isPopup: z.boolean(),
  isTooltip: z.boolean(),
  isShown: z.boolean(),
  canMove: z.boolean(),
  canResize: z.boolean(),
  canMaximize: z.boolean(),
  canMinimize: z.boolean(),
  canClose: z.boolean(),
});
export type ExtensionWindow = z.output<typeof ExtensionWindow>;

export const ExtensionList = z.object({ windows: z.array(ExtensionWindow) });

/** What a click at a point would reach: a window or menu, a part of the shell, or the background. */
export const ExtensionPoint = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('window'), id: Id }),
  z.object({ kind: z.literal('shell') }),
  z.object({ kind: z.literal('none') }),
]);

export const ExtensionAnswer = z.object({
  isMissing: z.boolean().optional(),
  complaint: z.string().optional(),
});

/** A window, and where what its application calls the window is in it. */
export interface PlacedWindow extends ExtensionWindow {
  readonly content: Bounds;
}

/**
 * What the client draws, without a shadow: a title bar of Mutter is in the frame only, a shadow of the client in the client's box only, so it is what both have.
 * A title bar that the client draws is in both.
 */
export function drawnPart({ frame, client }: Pick<ExtensionWindow, 'frame' | 'client'>): Bounds {
  return intersect(frame, client) ?? frame;
}

const WINDOW_ID = /^gnome:(\d{1,20})$/;

/** The public id of a window. */
export function publicId(id: string): string {
  return `gnome:${id}`;
}

/** The id within the shell; `undefined` for one that is none of ours. */
export function innerId(id: string): string | undefined {
  return WINDOW_ID.exec(id)?.[1];
}

export function toDisplayWindow(window: PlacedWindow): DisplayWindow {
  const { title, active, modal, minimized, stacking, fullscreen } = window;
  return {
    id: publicId(window.id),
    title,
    pid: pidOf(window),
    className: window.className || undefined,
    instanceName: window.instanceName || undefined,
    isUserWindow: window.isUser,
    active,
    hasInput: active,
    minimized,
    isHidden: !window.isShown,
    maximized: window.maximized && !fullscreen,
    fullscreen,
    modal,
    transientFor: parentOf(window),
    stacking,
    bounds: window.content,
  };
}

export function toDisplayPopup(window: ExtensionWindow): DisplayPopup {
  return {
    id: publicId(window.id),
    pid: pidOf(window),
    isTooltip: window.isTooltip,
    isMenu: !window.isTooltip,
    isList: !window.isTooltip,
    transientFor: parentOf(window),
    bounds: drawnPart(window),
  };
}

export function pidOf({ pid }: ExtensionWindow): number | undefined {
  return pid > 0 ? pid : undefined;
}

function parentOf({ parent }: ExtensionWindow): string | undefined {
  return parent === null ? undefined : publicId(parent);
}
