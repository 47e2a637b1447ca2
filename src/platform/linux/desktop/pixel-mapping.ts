import type { Bounds } from '../../../model/tree/bounds.ts';
import type { Point } from '../../../ports/input.ts';

/** Whose rules of coordinates an application follows. `other`: Firefox, Chromium, LibreOffice, Java and all that is unknown. */
export type ToolkitFamily = 'gtk3' | 'gtk4' | 'qt' | 'other';

/** Component.GetExtents as it came from the bus, garbage included. */
export interface RawExtents {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** What GetExtents answered for the two coordinate types. */
export interface ExtentsPair {
  readonly screen?: RawExtents | undefined;
  readonly window?: RawExtents | undefined;
}

export interface MappingInput {
  readonly toolkit: ToolkitFamily;
  /** The X window's client area, in device pixels. */
  readonly window: Bounds;
  /** _GTK_FRAME_EXTENTS of the X window, in device pixels. */
  readonly gtkFrameExtents?:
    | { readonly left: number; readonly right: number; readonly top: number; readonly bottom: number }
    | undefined;
  /** Extents of the accessible window (role frame, dialog, …) that belongs to the X window. */
  readonly frame: ExtentsPair;
}

/** Turns the extents of one window's elements into physical screen pixels. */
export interface PixelMapping {
  /** The coordinate type to ask an element for. */
  readonly coordinates: 'screen' | 'window';
  /** Device pixels per pixel of the toolkit. */
  readonly scale: number;
  /** `undefined` for extents that are no place on the screen. */
  readonly toPixels: (extents: RawExtents | undefined) => Bounds | undefined;
  /** The way back: what the toolkit calls a place on the screen. */
  readonly fromPixels: (point: Point) => Point;
}

/** ATK's "not on screen" is -2147483648; no real coordinate comes near. */
const FAR_AWAY = 1_000_000;

/** Whether extents name a place: unmapped elements answer with the smallest integer (ATK), -1 (Java, Firefox) or no size (Qt, GTK 4). */
export function isPlace(extents: RawExtents | undefined): extents is RawExtents {
  if (extents === undefined) return false;
  const { x, y, width, height } = extents;
  if (![x, y, width, height].every((value) => Number.isFinite(value) && Math.abs(value) < FAR_AWAY))
    return false;
  return width > 0 && height > 0;
}

/**
 * The rule for one window; made once, used for each of its elements. `undefined` when the accessible window has no usable extents and
 * the toolkit needs them.
 */
export function pixelMapping(input: MappingInput): PixelMapping | undefined {
  return RULES[input.toolkit](input);
}

/** What a popup's window and its tree may differ by. */
const POPUP_TOLERANCE_PX = 4;

/**
 * The rule for a popup that has an X window and an accessible window of its own, by its screen extents; `undefined` where the two are not the
 * same. Nobody decorates popups, and submenus inside its tree are other X windows: in every toolkit the screen's coordinates hold for all of it.
 */
export function mappingOfPopup(popup: Bounds, screen: RawExtents): PixelMapping | undefined {
  const mapping = mapQt({ toolkit: 'other', window: popup, frame: { screen } });
  const isSame = (['x', 'y', 'width', 'height'] as const).every(
    (side) => Math.abs(screen[side] * (mapping?.scale ?? 1) - popup[side]) <= POPUP_TOLERANCE_PX,
  );
  return isSame ? mapping : undefined;
}

/** Window coordinates are relative to the X window. The frame's size includes what the window manager adds, hence only the rounded ratio. */
function mapGtk3({ window, frame }: MappingInput): PixelMapping {
  const extents = isPlace(frame.screen) ? frame.screen : frame.window;
  const scale = isPlace(extents) ? wholeScale(window.width / extents.width) : 1;
  return linear('window', scale, window.x, window.y);
}

/**
 * Both coordinate types are relative to the visible frame. It starts _GTK_FRAME_EXTENTS inside the X window; without a compositor that
 * property is missing, and what the X window is wider than the frame is an invisible border, the same on every side.
 */
function mapGtk4({ window, gtkFrameExtents, frame }: MappingInput): PixelMapping | undefined {
  const extents = isPlace(frame.window) ? frame.window : frame.screen;
  if (!isPlace(extents)) return undefined;
  if (gtkFrameExtents !== undefined) {
    const { left, right, top } = gtkFrameExtents;
    const scale = wholeScale((window.width - left - right) / extents.width);
    return linear('window', scale, window.x + left, window.y + top);
  }
  const scale = wholeScale(window.width / extents.width);
  const border = Math.max(0, Math.round((window.width - scale * extents.width) / 2));
  return linear('window', scale, window.x + border, window.y + border);
}

/** Screen coordinates of elements and of the frame share an origin, which is the X window's; window coordinates are broken in Qt. */
function mapQt({ window, frame }: MappingInput): PixelMapping | undefined {
  if (!isPlace(frame.screen)) return undefined;
  const scale = fractionalScale(window.width, frame.screen.width);
  return linear('screen', scale, window.x - scale * frame.screen.x, window.y - scale * frame.screen.y);
}

/** Screen coordinates are right as they are, unless the frame shows that they are not device pixels. */
function mapOther({ window, frame }: MappingInput): PixelMapping {
  const extents = frame.screen;
  const scale = isPlace(extents) ? quarterScale(window.width / extents.width) : 1;
  if (scale === 1 || !isPlace(extents)) return linear('screen', 1, 0, 0);
  return linear('screen', scale, window.x - scale * extents.x, window.y - scale * extents.y);
}

const RULES: Readonly<Record<ToolkitFamily, (input: MappingInput) => PixelMapping | undefined>> = {
  gtk3: mapGtk3,
  gtk4: mapGtk4,
  qt: mapQt,
  other: mapOther,
};

function linear(coordinates: 'screen' | 'window', scale: number, left: number, top: number): PixelMapping {
  const toPixels = (extents: RawExtents | undefined): Bounds | undefined => {
    if (!isPlace(extents)) return undefined;
    // Edges are rounded, not sizes, so that neighbours still touch.
    const x = Math.round(left + scale * extents.x);
    const y = Math.round(top + scale * extents.y);
    const right = Math.round(left + scale * (extents.x + extents.width));
    const bottom = Math.round(top + scale * (extents.y + extents.height));
    return { x, y, width: Math.max(1, right - x), height: Math.max(1, bottom - y) };
  };
  const fromPixels = ({ x, y }: Point): Point => ({
    x: Math.floor((x - left) / scale),
    y: Math.floor((y - top) / scale),
  });
  return { coordinates, scale, toPixels, fromPixels };
}

/** GTK scales on X11 by whole numbers only (GDK_SCALE), so the rest of a ratio is decoration. */
function wholeScale(ratio: number): number {
  return Math.max(1, Math.round(ratio));
}

/** Steps of desktop settings (125 %, 150 %, …); swallows a decoration of up to an eighth of the window. */
function quarterScale(ratio: number): number {
  return Math.max(0.25, Math.round(ratio * 4) / 4);
}

/**
 * Qt takes any factor, and its frame is the client area without decoration: the ratio is exact but for the rounding of one pixel. So a
 * quarter step is taken only where it explains the width to that pixel, and the measured ratio otherwise (QT_SCALE_FACTOR=1.2).
 */
function fractionalScale(deviceWidth: number, logicalWidth: number): number {
  const ratio = deviceWidth / logicalWidth;
  const step = quarterScale(ratio);
  return Math.abs(deviceWidth - step * logicalWidth) <= Math.max(1, step) ? step : ratio;
}
