import { isInteractive, roleSet } from '../role.ts';
import type { Placed } from './placed.ts';

/** Roles that an agent must see first: the application waits for an answer there. */
const URGENT = roleSet('alert', 'alertdialog', 'dialog');
/** Levels of containers that are named first, so that every part of a large window can be requested. */
const SKELETON_DEPTH = 2;

const TIER = {
  FOCUS: 0,
  URGENT: 1,
  URGENT_TEXT: 2,
  SKELETON: 3,
  INTERACTIVE: 4,
  STATIC: 5,
  SILENT: 6,
} as const;

export interface Ranked {
  readonly placed: Placed;
  /** Part of the skeleton, which may use only a share of the budget. */
  readonly isSkeleton: boolean;
}

/** Nodes by importance: focus, dialogs and alerts, a skeleton of containers, then controls before text; nearer to the focus (or earlier) first. */
export function rank(all: readonly Placed[]): Ranked[] {
  const focus = all.findLast((placed) => placed.node.states?.includes('focused') === true);
  const focusDepths = new Map<Placed, number>();
  for (let up = focus; up !== undefined; up = up.parent) focusDepths.set(up, up.depth);
  const urgent = new Set<Placed>();
  const keys = all.map((placed) => {
    if (placed.parent !== undefined && (urgent.has(placed.parent) || URGENT.has(placed.node.role)))
      urgent.add(placed);
    const tier = placed === focus ? TIER.FOCUS : tierOf(placed, urgent.has(placed));
    return { placed, tier, steps: focus === undefined ? 0 : stepsFrom(placed, focus, focusDepths) };
  });
  const start = focus?.order ?? 0;
  keys.sort(
    (a, b) =>
      a.tier - b.tier ||
      a.steps - b.steps ||
      Math.abs(a.placed.order - start) - Math.abs(b.placed.order - start) ||
      a.placed.order - b.placed.order,
  );
  return keys.map(({ placed, tier }) => ({ placed, isSkeleton: tier === TIER.SKELETON }));
}

function tierOf(placed: Placed, isUrgent: boolean): number {
  const interactive = isInteractive(placed.node.role);
  if (isUrgent) return interactive || URGENT.has(placed.node.role) ? TIER.URGENT : TIER.URGENT_TEXT;
  if (placed.depth <= SKELETON_DEPTH && placed.children.length > 0) return TIER.SKELETON;
  if (interactive) return TIER.INTERACTIVE;
  return placed.node.name === undefined && placed.node.value === undefined ? TIER.SILENT : TIER.STATIC;
}

/** How many levels above the focus the nearest common container is. */
function stepsFrom(placed: Placed, focus: Placed, focusDepths: ReadonlyMap<Placed, number>): number {
  for (let up: Placed | undefined = placed; up !== undefined; up = up.parent) {
    const depth = focusDepths.get(up);
    if (depth !== undefined) return focus.depth - depth;
  }
  return focus.depth;
}
