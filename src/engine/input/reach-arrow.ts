import { DeskterityError } from '../../model/effects/errors.ts';
import { intersect } from '../../model/tree/bounds.ts';
import type { CallOptions } from '../../ports/call-options.ts';
import type { NodeDetails } from '../../ports/desktop/elements.ts';
import { named, type ResolvedTarget } from '../refs/target.ts';
import { reportsExpansion, ROWS } from '../tree/element-states.ts';
import { hitTest, type Spot } from './hit-test.ts';
import type { WindowParts } from './input-lease.ts';
import { reachPoint } from './reach-point.ts';

/** From the left edge of a row to within the arrow before it, which is at least as wide as this. */
const ARROW_PX = 8;

export function hasArrow(node: Pick<NodeDetails, 'role' | 'states'>): boolean {
  return ROWS.has(node.role) && reportsExpansion(node);
}

/**
 * Makes the arrow before a row reachable for the pointer. The arrow is not an element: a hit test there finds the tree or list that holds the rows.
 * Rows of web pages are refused, because pages may draw their arrows anywhere.
 * @throws DeskterityError ACTION_NOT_SUPPORTED if something else is there, otherwise as {@link reachPoint}
 */
export async function reachArrow(
  parts: WindowParts,
  target: ResolvedTarget,
  options: () => CallOptions,
): Promise<Spot> {
  const { desktop } = parts;
  const spot = await reachPoint(parts, target, options);
  const { bounds, parent } = spot.node;
  const arrow = { ...spot, point: { x: (bounds?.x ?? 0) - ARROW_PX, y: spot.point.y } };
  const isInPage = target.record.trail.some(({ role }) => role === 'document');
  const holder = parent === undefined || isInPage ? undefined : await desktop.describe(parent, options());
  const place = { ...arrow.point, width: 1, height: 1 };
  if (holder?.bounds !== undefined && intersect(holder.bounds, place) !== undefined) {
    const { kind } = await hitTest(desktop, arrow, options());
    if (kind === 'target' || kind === 'unknown') return arrow;
  }
  throw new DeskterityError(
    'ACTION_NOT_SUPPORTED',
    `${named(target.ref, target.node)} was not acted on: there is no arrow before it.`,
    { suggestion: 'Use the keyboard, or double-click it.', delivered: false },
  );
}
