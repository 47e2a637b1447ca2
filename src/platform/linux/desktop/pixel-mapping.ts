import type { Bounds } from '../../../model/tree/bounds.ts';
import type { Point } from '../../../ports/input.ts';
import type { Extents } from '../atspi/tree/object-facts.ts';
import type { DisplayPlace } from '../display/display.ts';

/** The coordinate conventions of an application. `other`: Firefox, Chromium, LibreOffice, Java and unknown toolkits. */
export type ToolkitFamily = 'gtk3' | 'gtk4' | 'qt' | 'other';

/** The results of GetExtents for the two coordinate types. */
export interface ExtentsPair {
  readonly screen?: Extents | undefined;
  readonly window?: Extents | undefined;
}

export interface MappingInput {
  readonly toolkit: ToolkitFamily;
  /** The X window's client area, in device pixels. */
  readonly window: Bounds;
  /** _GTK_FRAME_EXTENTS of the X window, in device pixels. */
  readonly gtkFrameExtents?: DisplayPlace['shadow'];
  /** Extents of the accessible window (role frame, dialog, …) that belongs to the X window. */
  readonly frame: ExtentsPair;
}

/** Turns the extents of one window's elements into physical screen pixels. */
export interface PixelMapping {
  /** The coordinate type to request from an element. */
  readonly coordinates: 'screen' | 'window';
  /** Device pixels per pixel of the toolkit. */
  readonly scale: number;
  /** `undefined` for extents that are not on the screen. */
  readonly toPixels: (extents: Extents | undefined) => Bounds | undefined;
  /** The inverse: a point on the screen in the toolkit's coordinates. */
  readonly fromPixels: (point: Point) => Point;
}

/** ATK's "not on screen" is -2147483648; real coordinates are far smaller. */
const FAR_AWAY = 1_000_000;

/** Whether extents are a real area: unmapped elements return the smallest integer (ATK), -1 (Java, Firefox) or size 0 (Qt, GTK 4). */
export function isPlace(extents: Extents | undefined): extents is Extents {
  if (extents === undefined) return false;
  const { x, y, width, height } = extents;
  if (![x, y, width, height].every((value) => Number.isFinite(value) && Math.abs(value) < FAR_AWAY))
    return false;
  return width > 0 && height > 0;
}

/**
 * The mapping of one window, for all its elements. `undefined` if the accessible window has no usable extents but the
 * toolkit needs them.
 */
export function pixelMapping(input: MappingInput): PixelMapping | undefined {
  return RULES[input.toolkit](input);
}

/** Allowed difference between a popup's window and its accessible window. */
const POPUP_TOLERANCE_PX = 4;

/**
 * The mapping of a popup that has its own X window and accessible window, by its screen extents; `undefined` if the two
 * differ. Popups have no decoration, and submenus in their tree are other X windows: in every toolkit screen coordinates
 * are valid for all of it.
 */
export function mappingOfPopup(popup: Bounds, screen: Extents): PixelMapping | undefined {
  const mapping = mapQt({ toolkit: 'other', window: popup, frame: { screen } });
  const isSame = (['x', 'y', 'width', 'height'] as const).every(
    (side) => Math.abs(screen[side] * (mapping?.scale ?? 1) - popup[side]) <= POPUP_TOLERANCE_PX,
  );
  return isSame ? mapping : undefined;
}

/** Window coordinates are relative to the X window. The frame's size includes decorations, so only the rounded ratio is used. */
function mapGtk3({ window, frame }: MappingInput): PixelMapping {
  const extents = isPlace(frame.screen) ? frame.screen : frame.window;
  const scale = isPlace(extents) ? wholeScale(window.width / extents.width) : 1;
  return linear('window', scale, window.x, window.y);
}

/**
 * Both coordinate types are relative to the visible frame, which starts _GTK_FRAME_EXTENTS inside the X window. Without a
 * compositor that property is missing; the difference in width is then an invisible border, equal on all sides.
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

/**
 * Screen coordinates of elements and of the frame share the X window's origin; window coordinates are broken in Qt. The frame of a dock that has
 * just begun to float may be a single pixel, of which no scale makes its window.
 */
function mapQt({ window, frame }: MappingInput): PixelMapping | undefined {
  if (!isPlace(frame.screen) || !isOneScale(window, frame.screen)) return undefined;
  const scale = fractionalScale(window.width, frame.screen.width);
  return linear('screen', scale, window.x - scale * frame.screen.x, window.y - scale * frame.screen.y);
}

/** No screen is scaled by more: such a frame is not that of its window. */
const MOST_SCALE = 8;
/** Share by which the two directions may differ: windows are read one moment later than what they hold. */
const SCALE_TOLERANCE = 0.25;

function isOneScale(window: Bounds, extents: Extents): boolean {
  const [across, down] = [window.width / extents.width, window.height / extents.height];
  const [less, more] = [Math.min(across, down), Math.max(across, down)];
  return more <= MOST_SCALE && more - less <= more * SCALE_TOLERANCE;
}

/** Screen coordinates are device pixels unless the frame shows otherwise. */
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

/** A mapping by one scale and one offset. */
export function linear(
  coordinates: 'screen' | 'window',
  scale: number,
  left: number,
  top: number,
): PixelMapping {
  const toPixels = (extents: Extents | undefined): Bounds | undefined => {
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

/** On X11, GTK scales only by whole numbers (GDK_SCALE), so the remainder of a ratio is decoration. */
function wholeScale(ratio: number): number {
  return ratio > MOST_SCALE ? 1 : Math.max(1, Math.round(ratio));
}

/** Steps of desktop settings (125 %, 150 %, …); absorbs a decoration of up to an eighth of the window. */
function quarterScale(ratio: number): number {
  return ratio > MOST_SCALE ? 1 : Math.max(0.25, Math.round(ratio * 4) / 4);
}

/**
 * Qt accepts any factor, and its frame is the client area without decoration: the ratio is exact except for one pixel of
 * rounding. A quarter step is used only if it explains the width to that pixel, otherwise the measured ratio
 * (QT_SCALE_FACTOR=1.2).
 */
function fractionalScale(deviceWidth: number, logicalWidth: number): number {
  const ratio = deviceWidth / logicalWidth;
  const step = quarterScale(ratio);
  return Math.abs(deviceWidth - step * logicalWidth) <= Math.max(1, step) ? step : ratio;
}
