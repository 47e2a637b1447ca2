import type { Bounds } from '../../../model/tree/bounds.ts';
import type { Extents } from '../atspi/tree/object-facts.ts';
import { isPlace, linear, type PixelMapping, type ToolkitFamily } from './pixel-mapping.ts';

/** What an application reports of one window where it does not know its place. */
export interface SurfaceInput {
  readonly toolkit: ToolkitFamily;
  /** What the client draws, without a shadow, on the screen. */
  readonly window: Bounds;
  /** Extents of the accessible window: of type window for GTK 4, of type screen for the others. */
  readonly frame: Extents | undefined;
  /** Where the content of the accessible window begins inside it: as wide as the shadow that GTK 3 counts as part of a window. */
  readonly inset?: Inset | undefined;
}

export interface Inset {
  readonly x: number;
  readonly y: number;
}

/**
 * The mapping of one window's elements where no client knows its place, and "screen" coordinates start anywhere. `undefined` if nothing in the
 * extents tells where they start.
 */
export function surfaceMapping({ toolkit, window, frame, inset }: SurfaceInput): PixelMapping | undefined {
  // Its window coordinates start at the visible frame, and it complains about requests for others.
  if (toolkit === 'gtk4') return linear('window', 1, window.x, window.y);
  if (!isPlace(frame)) return undefined;
  const { x, y } = toolkit === 'gtk3' && inset !== undefined ? inset : { x: 0, y: 0 };
  return linear('screen', 1, window.x - frame.x - x, window.y - frame.y - y);
}

/** Whether the accessible window is larger than what its client draws, as it is with a shadow. */
export function mayHaveInset({ toolkit, window, frame }: Omit<SurfaceInput, 'inset'>): boolean {
  return toolkit === 'gtk3' && isPlace(frame) && frame.width > window.width && frame.height > window.height;
}
