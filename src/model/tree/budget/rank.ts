import { isInteractive, roleSet } from '../role.ts';
import { isSilent } from '../outline.ts';
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
  BULK: 6,
  SILENT: 7,
} as const;

/** Rows, cells and items. */
const ITEMS = roleSet('cell', 'gridcell', 'listitem', 'option', 'row', 'treeitem');
/** So many of one container, nearest to the one with the focus or else the first, matter as much as buttons; the rest is its bulk. */
const MOST_ITEMS = 16;

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
  const bulk = bulkOf(all, new Set(focusDepths.keys()));
  const keys = all.map((placed) => {
    if (placed.parent !== undefined && (urgent.has(placed.parent) || URGENT.has(placed.node.role)))
      urgent.add(placed);
    const tier =
      placed === focus ? TIER.FOCUS : bulk.has(placed) ? TIER.BULK : tierOf(placed, urgent.has(placed));
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

/** The items of long lists and tables beyond the first, with all that is in them. */
function bulkOf(all: readonly Placed[], focused: ReadonlySet<Placed>): ReadonlySet<Placed> {
  const bulk = new Set<Placed>();
  for (const placed of all) {
    if (placed.parent !== undefined && bulk.has(placed.parent)) bulk.add(placed);
    const items = placed.children.filter(({ node }) => ITEMS.has(node.role));
    if (items.length <= MOST_ITEMS) continue;
    const start = Math.max(
      0,
      items.findIndex(
        (item) => focused.has(item) || (item.node.states ?? []).some((state) => CHOSEN.has(state)),
      ),
    );
    const from = Math.min(Math.max(0, start - MOST_ITEMS / 4), items.length - MOST_ITEMS);
    for (const [index, item] of items.entries())
      if (!focused.has(item) && (index < from || index >= from + MOST_ITEMS)) bulk.add(item);
  }
  return bulk;
}

const CHOSEN: ReadonlySet<string> = new Set(['focused', 'selected']);

function tierOf(placed: Placed, isUrgent: boolean): number {
  const interactive = isInteractive(placed.node.role);
  if (isUrgent) return interactive || URGENT.has(placed.node.role) ? TIER.URGENT : TIER.URGENT_TEXT;
  if (placed.node.offscreen !== undefined) return TIER.SKELETON;
  if (placed.depth <= SKELETON_DEPTH && placed.children.length > 0 && !isSilent(placed.node))
    return TIER.SKELETON;
  if (placed.node.role === 'menuitem' && placed.parent?.node.role === 'menubar') return TIER.SKELETON;
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
