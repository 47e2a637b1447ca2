import { mentionCommand } from '../../model/text/mention.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import { isSameBounds } from '../../model/tree/bounds.ts';
import { roleSet } from '../../model/tree/role.ts';
import type { CallOptions } from '../../ports/call-options.ts';
import type { NodeDetails } from '../../ports/desktop/elements.ts';
import type { DesktopWindow } from '../../ports/desktop/windows.ts';
import type { InputLease, Point } from '../../ports/input.ts';
import { named, type ResolvedTarget } from '../refs/target.ts';
import { bringToFront, usableWindow } from './front.ts';
import { ancestorsOf, coveredError, hitTest, pointIn, type Hit, type Spot } from './hit-test.ts';
import { cellAround, drawnPart, isNotDrawn } from './drawn-part.ts';
import type { PointerParts, WindowParts } from './input-lease.ts';

/** An element is at rest if two readings this far apart show it in the same place. */
export const REST_MS = 40;
const MOST_LOOKS = 25;

/**
 * Makes an element reachable for the pointer: in view, at rest, not covered. Its window is brought to the front only if another one covers
 * it.
 * @throws DeskterityError NOT_ACTIONABLE naming what is in the way (retryable if waiting may help), STALE_REF, WINDOW_NOT_FOUND
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
  if (hit.kind === 'unknown' && hit.boxes !== undefined) {
    if (pointInBoxes(spot, hit) === undefined) {
      await scrollIntoView(parts, target, options());
      spot = await restingSpot(parts, { target, window }, options);
      hit = await hitTest(parts.desktop, spot, options());
    }
    const point = pointInBoxes(spot, hit);
    if (point === undefined) throw isOffScreen(target);
    spot = { ...spot, point };
    hit = await hitTest(parts.desktop, spot, options());
  }
  if (hit.kind === 'target' || hit.kind === 'unknown') return spot;
  const inside = hit.kind === 'element' ? await spotInContainers(parts.desktop, spot, options()) : undefined;
  if (inside !== undefined) return inside;
  throw await coveredError(parts.desktop, { ref: target.ref, hit }, options());
}

/** The middle of what the boxes around an element show of it; `undefined` if they show nothing. */
export function pointInBoxes({ node, window, point }: Spot, hit: Hit): Point | undefined {
  if (hit.kind !== 'unknown' || hit.boxes === undefined) return point;
  return node.bounds && pointIn(node.bounds, window.bounds, ...hit.boxes);
}

async function scrollIntoView(
  { desktop }: WindowParts,
  { node }: ResolvedTarget,
  options: CallOptions,
): Promise<void> {
  await desktop.scrollIntoView(node.handle, options).catch((error: unknown) => {
    if (!(error instanceof DeskterityError) || error.code !== 'ACTION_NOT_SUPPORTED') throw error;
  });
}

/** Items of a Qt list may claim to be far wider than the list: then the middle of what their containers show of them. */
async function spotInContainers(
  desktop: WindowParts['desktop'],
  spot: Spot,
  options: CallOptions,
): Promise<Spot | undefined> {
  const containers = await ancestorsOf(desktop, spot.node, options);
  const { bounds } = spot.node;
  const point =
    bounds && pointIn(bounds, spot.window.bounds, ...[...containers.values()].map((node) => node.bounds));
  if (point === undefined || (point.x === spot.point.x && point.y === spot.point.y)) return undefined;
  const inside = { ...spot, point };
  const hit = await hitTest(desktop, inside, options);
  return hit.kind === 'target' || hit.kind === 'unknown' ? inside : undefined;
}

export type Reach = typeof reachPoint;

/** What a click would reach now; `undefined` if the element is no longer where it was. */
async function hitNow(parts: WindowParts, spot: Spot, options: CallOptions): Promise<Hit | undefined> {
  // At once, because the target can move while it is asked.
  const [node, hit] = await Promise.all([
    parts.desktop.describe(spot.node.handle, options),
    hitTest(parts.desktop, spot, options),
  ]);
  return isSameBounds(node.bounds, spot.node.bounds) ? hit : undefined;
}

async function restingSpot(
  parts: WindowParts,
  { target, window }: { readonly target: ResolvedTarget; readonly window: DesktopWindow },
  options: () => CallOptions,
): Promise<Spot> {
  const { desktop, clock } = parts;
  const { handle } = target.node;
  let node = await desktop.describe(handle, options());
  const cell = await cellAround(desktop, node, options());
  const inCell = cell && placeOf(cell, window);
  if (cell !== undefined && inCell !== undefined) return { node: cell, window, point: inCell, part: node };
  if (placeOf(node, window) === undefined) await scrollIntoView(parts, target, options());
  for (let looks = 0; looks < MOST_LOOKS; looks++) {
    const before = node;
    await clock.sleep(REST_MS, options().signal);
    node = await desktop.describe(handle, options());
    const point = placeOf(node, window);
    if (point !== undefined && isSameBounds(before.bounds, node.bounds)) return { node, window, point };
    if (point === undefined && placeOf(before, window) === undefined) throw isOffScreen(target);
  }
  throw keepsMoving(target);
}

/** Where a click by hand would go, if it shows. */
export function placeOf({ bounds, role, states }: NodeDetails, window: DesktopWindow): Point | undefined {
  if (bounds === undefined || states.includes('hidden') || states.includes('offscreen')) return undefined;
  if (POPUP_ROLES.has(role)) return pointIn(bounds);
  const inWindow = pointIn(bounds, window.isTreeOnly === true ? undefined : window.bounds);
  return inWindow ?? (LIST_ROLES.has(role) ? pointIn(bounds) : undefined);
}

/** Menus extend beyond their window; the hit test decides whether they can be clicked. */
const POPUP_ROLES = roleSet('menu', 'menuitem', 'menuitemcheckbox', 'menuitemradio');

/** Drop-down lists may extend beyond their window. */
const LIST_ROLES = roleSet('option', 'listitem');

function isOffScreen(target: ResolvedTarget): DeskterityError {
  const isInCombobox = target.record.trail.some(({ role }) => role === 'combobox');
  if (isInCombobox)
    return new DeskterityError(
      'NOT_ACTIONABLE',
      `${named(target.ref, target.node)} was not acted on: its combo box is closed.`,
      {
        suggestion: `Choose it in the combo box with ${mentionCommand('select', { ref: 'REF', value: 'VALUE' })}, or open that first with ${mentionCommand('expand', { ref: 'REF' })}.`,
        delivered: false,
        retryable: true,
      },
    );
  if (target.node.isNamedByPlace === true)
    return new DeskterityError(
      'NOT_ACTIONABLE',
      `${named(target.ref, target.node)} was not acted on: it is out of view in its sheet.`,
      {
        suggestion: `Go there first: ${mentionCommand('focus', { ref: target.ref })}, which also moves the cell cursor. ${mentionCommand('set-value')}, ${mentionCommand('type')}, ${mentionCommand('select')} and ${mentionCommand('click')} need not.`,
        delivered: false,
      },
    );
  return new DeskterityError(
    'NOT_ACTIONABLE',
    `${named(target.ref, target.node)} was not acted on: it is not on screen, and its toolkit does not scroll it into view.`,
    {
      suggestion: `Open its container (menu, tab, folder), or scroll to it: ${mentionCommand('scroll', { direction: 'down', ref: 'REF' })}.`,
      delivered: false,
      retryable: true,
    },
  );
}

function keepsMoving(target: ResolvedTarget): DeskterityError {
  return new DeskterityError(
    'NOT_ACTIONABLE',
    `${named(target.ref, target.node)} was not acted on: it keeps moving.`,
    { suggestion: 'Wait until it stops moving and repeat the command.', delivered: false, retryable: true },
  );
}

/** An element may move when the pointer comes near it. */
const MOST_AIMS = 3;
/** Time for an application to notice the pointer and to react to it. */
const HOVER_MS = 30;

/** The pointer on an element. */
export interface Aimed extends Spot {
  /** The application reports the element there; otherwise nothing else is known to be there. */
  readonly isCertain: boolean;
  /** What was under the pointer before the last check, for the press. */
  readonly onto: string | undefined;
}

/**
 * Moves the pointer onto an element and checks once more that a click would hit the resolved element.
 * @throws DeskterityError NOT_ACTIONABLE if the element keeps moving away from the pointer
 */
export async function aim(
  parts: PointerParts,
  {
    lease,
    target,
    spot,
    reach = reachPoint,
    whileThere,
  }: {
    readonly lease: InputLease;
    readonly target: ResolvedTarget;
    readonly spot: Spot;
    /** How the spot was found, for finding it again. */
    readonly reach?: Reach | undefined;
    /** What is to be seen while the pointer rests there; before the last check, because it takes time. */
    readonly whileThere?: ((spot: Spot) => Promise<void>) | undefined;
  },
  options: () => CallOptions,
): Promise<Aimed> {
  let aimedAt = spot;
  for (let aims = 0; aims < MOST_AIMS; aims++) {
    await lease.moveTo(aimedAt.point, options());
    await parts.clock.sleep(HOVER_MS, options().signal);
    const { part, node: cell } = aimedAt;
    if (part !== undefined) {
      const drawn = await drawnPart(parts.desktop, { part, cell }, options());
      const point = drawn && placeOf(drawn, aimedAt.window);
      // A place that is kept from another row, or from before the row moved, is not where the text is.
      if (
        drawn === undefined ||
        point === undefined ||
        pointIn({ ...point, width: 1, height: 1 }, cell.bounds) === undefined
      )
        throw isNotDrawn(target);
      aimedAt = { node: drawn, window: aimedAt.window, point };
      await lease.moveTo(point, options());
    }
    await whileThere?.(aimedAt);
    const onto = await lease.under(options());
    const hit = await hitNow(parts, aimedAt, options());
    if (hit?.kind === 'target' || hit?.kind === 'unknown')
      return { ...aimedAt, isCertain: hit.kind === 'target', onto };
    aimedAt = await reach(parts, target, options);
  }
  throw new DeskterityError(
    'NOT_ACTIONABLE',
    `${target.ref} moved away from the pointer ${MOST_AIMS} times.`,
    {
      suggestion: `Wait until it stops moving, run ${mentionCommand('snapshot')} again and repeat the command.`,
      delivered: false,
      retryable: true,
    },
  );
}
