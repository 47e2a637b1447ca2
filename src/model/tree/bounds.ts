import { z } from 'zod';

/** A rectangle in physical screen pixels; `x`,`y` is the top-left corner, negative values are left of or above the screen. */
export const Bounds = z.object({
  x: z.int(),
  y: z.int(),
  width: z.int().nonnegative(),
  height: z.int().nonnegative(),
});
export type Bounds = z.output<typeof Bounds>;

/** Whether two rectangles are equal, or both missing. */
export function isSameBounds(a: Bounds | undefined, b: Bounds | undefined): boolean {
  return a?.x === b?.x && a?.y === b?.y && a?.width === b?.width && a?.height === b?.height;
}

/** The common part of two rectangles, or `undefined` if they do not overlap. */
export function intersect(a: Bounds, b: Bounds): Bounds | undefined {
  const x = Math.max(a.x, b.x);
  const y = Math.max(a.y, b.y);
  const width = Math.min(a.x + a.width, b.x + b.width) - x;
  const height = Math.min(a.y + a.height, b.y + b.height) - y;
  return width > 0 && height > 0 ? { x, y, width, height } : undefined;
}
