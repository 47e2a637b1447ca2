import { DeskterityError } from '../../model/effects/errors.ts';
import type { CallOptions, DesktopPort } from '../../ports/desktop.ts';
import type { Point } from '../../ports/input.ts';

/**
 * To be asked before anything is moved or pressed: the pointer would stop at the edge.
 * @throws DeskterityError INVALID_ARGUMENT naming the size of the screen
 */
export async function requireOnScreen(
  desktop: DesktopPort,
  points: readonly Point[],
  options: CallOptions,
): Promise<void> {
  const { width, height } = (await desktop.status(options)).screen;
  const beyond = points.find(({ x, y }) => x < 0 || y < 0 || x >= width || y >= height);
  if (beyond === undefined) return;
  throw new DeskterityError(
    'INVALID_ARGUMENT',
    `${beyond.x},${beyond.y} is beyond the screen, which is ${width}x${height} pixels.`,
    {
      suggestion: `Choose a place from 0,0 to ${width - 1},${height - 1}; elements are reached by their references.`,
      delivered: false,
    },
  );
}
