import type { Bounds } from '../../../../../model/tree/bounds.ts';
import type { Extents } from '../../display.ts';
import { numbersOf, readProperty } from '../properties.ts';
import type { X11Wire } from '../wire.ts';

/** In a request to the window manager: use the gravity of the window's own hints. */
export const OWN_GRAVITY = 0;

const NO_EXTENTS: Extents = { left: 0, right: 0, top: 0, bottom: 0 };
/** ICCCM 4.1.2.3: position of the field, the flag that it is set, and what applies otherwise. */
const GRAVITY_FIELD = 17;
const HAS_GRAVITY = 0x200;
const NORTH_WEST = 1;
const STATIC = 10;

/** Whether a window that is resized stays where it is without being told. */
export function staysWhenResized({ gravity }: Placement): boolean {
  return gravity === NORTH_WEST || gravity === STATIC;
}

/** Which point of its frame a window is placed by, and the frame. */
export interface Placement {
  readonly gravity: number;
  readonly frame: Extents;
}

export async function readPlacement(wire: X11Wire, id: number): Promise<Placement> {
  const [hints, frame] = await Promise.all([
    readProperty(wire, id, 'WM_NORMAL_HINTS'),
    readProperty(wire, id, '_NET_FRAME_EXTENTS'),
  ]);
  const numbers = numbersOf(hints);
  const isSet = ((numbers[0] ?? 0) & HAS_GRAVITY) !== 0;
  const [left = 0, right = 0, top = 0, bottom = 0] = numbersOf(frame);
  return {
    gravity: isSet ? (numbers[GRAVITY_FIELD] ?? NORTH_WEST) : NORTH_WEST,
    frame: frame === undefined ? NO_EXTENTS : { left, right, top, bottom },
  };
}

/**
 * The position to request so that a window's client area gets to a point. Another gravity than the window's own would do for one request, but some
 * window managers then keep a position that they understand differently later: the window moves by the size of its frame with the next request.
 */
export function requestedPosition(
  client: Pick<Bounds, 'x' | 'y'>,
  { gravity, frame }: Placement,
): { readonly x: number; readonly y: number } {
  if (gravity === STATIC || gravity < NORTH_WEST || gravity > STATIC) return { x: client.x, y: client.y };
  // 1 to 9: the rows and columns of a grid over the frame, which stays at that point whatever its size.
  const column = (gravity - 1) % 3;
  const row = Math.floor((gravity - 1) / 3);
  return {
    x: client.x - Math.round(frame.left - ((frame.left + frame.right) * column) / 2),
    y: client.y - Math.round(frame.top - ((frame.top + frame.bottom) * row) / 2),
  };
}
