import type { Point } from '../../../../ports/input.ts';
import type { Extents } from './object-facts.ts';

/** GTK widgets may be taller than their allocation. */
const SIZE_TOLERANCE_PX = 2;

/** Whether an only child is all there is to see in a box. What is in a side bar is larger than the part of it that shows, if it is cut off or scrolled. */
export function isFilledBy(outer: Extents, inner: Extents): boolean {
  return inner.width >= outer.width - SIZE_TOLERANCE_PX && inner.height >= outer.height - SIZE_TOLERANCE_PX;
}

/**
 * Where a point is for an element inside another one of LibreOffice, which places its own drawing at the window's origin, although it begins below
 * the GTK menu bar; GTK widgets inside it have correct coordinates again, also if they are scrolled.
 *
 * @param actual where it is on the screen
 */
export function pointAcross(
  { x, y }: Point,
  actual: Point,
  { outer, inner, isRoot }: { readonly outer: Extents; readonly inner: Extents; readonly isRoot: boolean },
): Point {
  const isMoved = isRoot || isSameSize(outer, inner);
  return isMoved ? { x: x + inner.x - outer.x, y: y + inner.y - outer.y } : { x: actual.x, y: actual.y };
}

function isSameSize(a: Extents, b: Extents): boolean {
  return (
    Math.abs(a.width - b.width) <= SIZE_TOLERANCE_PX && Math.abs(a.height - b.height) <= SIZE_TOLERANCE_PX
  );
}
