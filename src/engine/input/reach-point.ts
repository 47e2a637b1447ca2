import { mentionCommand } from '../../model/text/mention.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import type { Role } from '../../model/tree/role.ts';
import type { CallOptions, DesktopWindow, NodeDetails } from '../../ports/desktop.ts';
import type { InputLease, Point } from '../../ports/input.ts';
import { named } from '../refs/target.ts';
import type { ResolvedTarget } from '../refs/target.ts';
import { bringToFront, usableWindow } from './front.ts';
import { covered, hitTest, pointIn } from './hit-test.ts';
import type { Hit } from './hit-test.ts';
import type { PointerParts, WindowParts } from './input-lease.ts';

/** Where a click would reach an element, as seen a moment ago. */
export interface Spot {
  readonly node: NodeDetails;
  readonly window: DesktopWindow;
  readonly point: Point;
}

/** Two looks this far apart that agree show an element at rest. */
const REST_MS = 40;
const MOST_LOOKS = 25;

/**
 * Makes the pointer able to reach an element: scrolled into view, at rest, not covered; its window is brought to the front only when another
 * one is in the way.
 * @throws DeskterityError NOT_ACTIONABLE naming what is in the way (retryable where time may help), STALE_REF, WINDOW_NOT_FOUND
 */
export async function reachPoint(
  parts: WindowParts,
  target: ResolvedTarget,
  options: () => CallOptions,
): Promise<Spot> {
  let window = await usableWindow(parts.desktop, target.record.window, options());
  if (window.minimized) window = await bringToFront(parts, target.record.window, options);
  let spot = await restingSpot(parts, { target, window }, options);
  let hit = await hitTest(parts.desktop, spot, options());
  if (hit.kind === 'window') {
    window = await bringToFront(parts, target.record.window, options);
    spot = await restingSpot(parts, { target, window }, options);
    hit = await hitTest(parts.desktop, spot, options());
  }
  if (hit.kind === 'target' || hit.kind === 'unknown') return spot;
  throw await covered(parts.desktop, { ref: target.ref, hit }, options());
}

/** What a click would reach now; `undefined` when the element is no longer where it was. */
async function hitNow(parts: WindowParts, spot: Spot, options: CallOptions): Promise<Hit | undefined> {
  const node = await parts.desktop.describe(spot.node.handle, options);
  return isSamePlace(node, spot.node) ? hitTest(parts.desktop, { ...spot, node }, options) : undefined;
}

async function restingSpot(
  { desktop, clock }: WindowParts,
  { target, window }: { readonly target: ResolvedTarget; readonly window: DesktopWindow },
  options: () => CallOptions,
): Promise<Spot> {
  const { handle } = target.node;
  let node = await desktop.describe(handle, options());
  if (placeOf(node, window) === undefined) {
    await desktop.scrollIntoView(handle, options()).catch((error: unknown) => {
      if (!(error instanceof DeskterityError) || error.code !== 'ACTION_NOT_SUPPORTED') throw error;
    });
  }
  for (let looks = 0; looks < MOST_LOOKS; looks++) {
    const before = node;
    await clock.sleep(REST_MS, options().signal);
    node = await desktop.describe(handle, options());
    const point = placeOf(node, window);
    if (point !== undefined && isSamePlace(before, node)) return { node, window, point };
    if (point === undefined && placeOf(before, window) === undefined) throw unseen(target);
  }
  throw restless(target);
}

function placeOf({ bounds, role, states }: NodeDetails, window: DesktopWindow): Point | undefined {
  if (bounds === undefined || states.includes('hidden') || states.includes('offscreen')) return undefined;
  if (POPUP_ROLES.has(role)) return pointIn(bounds);
  const inWindow = pointIn(bounds, window.isTreeOnly === true ? undefined : window.bounds);
  return inWindow ?? (LIST_ROLES.has(role) ? pointIn(bounds) : undefined);
}

/** Menus reach beyond their window; the hit test says whether there is one. */
const POPUP_ROLES: ReadonlySet<Role> = new Set<Role>([
  'menu',
  'menuitem',
  'menuitemcheckbox',
  'menuitemradio',
]);

/** Lists that drop down may hang out of it. */
const LIST_ROLES: ReadonlySet<Role> = new Set<Role>(['option', 'listitem']);

function isSamePlace({ bounds: a }: NodeDetails, { bounds: b }: NodeDetails): boolean {
  return a?.x === b?.x && a?.y === b?.y && a?.width === b?.width && a?.height === b?.height;
}

function unseen(target: ResolvedTarget): DeskterityError {
  return new DeskterityError(
    'NOT_ACTIONABLE',
    `${named(target.ref, target.node)} was left alone: it is not on screen, and its toolkit does not bring it there.`,
    {
      suggestion: `Open what it is in (menu, tab, folder), or scroll there: ${mentionCommand('scroll', { direction: 'down', ref: 'REF' })}.`,
      delivered: false,
      retryable: true,
    },
  );
}

function restless(target: ResolvedTarget): DeskterityError {
  return new DeskterityError(
    'NOT_ACTIONABLE',
    `${named(target.ref, target.node)} was left alone: it keeps moving.`,
    { suggestion: 'Wait until it is at rest and repeat the command.', delivered: false, retryable: true },
  );
}

/** An element may move when the pointer comes near it. */
const MOST_AIMS = 3;
/** For an application to hear of the pointer, and to do what it does about it. */
const HOVER_MS = 30;

/** The pointer on an element. */
export interface Aimed extends Spot {
  /** The application says that the element is what lies there; otherwise only that nothing else does. */
  readonly isCertain: boolean;
}

/**
 * Moves the pointer onto an element and looks once more: what is clicked must be what was resolved.
 * @throws DeskterityError NOT_ACTIONABLE when the element went away from under the pointer
 */
export async function aim(
  parts: PointerParts,
  {
    lease,
    target,
    spot,
  }: { readonly lease: InputLease; readonly target: ResolvedTarget; readonly spot: Spot },
  options: () => CallOptions,
): Promise<Aimed> {
  let aimedAt = spot;
  for (let aims = 0; aims < MOST_AIMS; aims++) {
    await lease.moveTo(aimedAt.point, options());
    await parts.clock.sleep(HOVER_MS, options().signal);
    const hit = await hitNow(parts, aimedAt, options());
    if (hit?.kind === 'target' || hit?.kind === 'unknown')
      return { ...aimedAt, isCertain: hit.kind === 'target' };
    aimedAt = await reachPoint(parts, target, options);
  }
  throw new DeskterityError(
    'NOT_ACTIONABLE',
    `${target.ref} went away from under the pointer, ${MOST_AIMS} times.`,
    {
      suggestion: `Wait until it is at rest, look again with ${mentionCommand('snapshot')} and repeat the command.`,
      delivered: false,
      retryable: true,
    },
  );
}
