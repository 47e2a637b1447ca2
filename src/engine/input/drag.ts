import { isDestructive } from '../../model/destructive/destructive-act.ts';
import { isTrash } from '../../model/destructive/words.ts';
import { mentionCommand } from '../../model/text/mention.ts';
import type { Receipt } from '../../model/effects/effect.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import type { CallOptions } from '../../ports/call-options.ts';
import type { NodeDetails } from '../../ports/desktop/elements.ts';
import type { InputLease, Point } from '../../ports/input.ts';
import type { Act } from '../acting/attempt.ts';
import { confirmed, NOTHING_CHANGED, OTHER_CAUSES, unverified } from '../evidence/evidence.ts';
import type { Judgement, Observation } from '../evidence/evidence.ts';
import { DISMISSED, sawNothing } from '../judging/judge-click.ts';
import { judgeByEffects } from '../judging/judge-effects.ts';
import type { ResolvedTarget } from '../refs/target.ts';
import type { DragRequest, Place } from '../requests/acting.ts';
import { windowByKey } from './front.ts';
import { withInputLease, type InputParts } from './input-lease.ts';
import { pointTarget, requireOnScreen } from './point-target.ts';
import { REACTION_MS } from './pointer-acts.ts';
import { aim, reachPoint } from './reach-point.ts';
import type { Spot } from './hit-test.ts';

/** Toolkits start a drag after a move of 4 to 8 pixels. */
const NUDGE = 10;
/** Targets highlight and scroll before they accept a drop. */
const DROP_AFTER_MS = 100;
/** How often the windows are checked during the drag. */
const LOOK_EVERY_MS = 100;
/** How many pixels a dropped element may be away from the drop point. */
const SNAP = 32;

/** Drags with the left button. */
export function drag(parts: InputParts, request: DragRequest): Promise<Receipt> {
  let spot: Spot | undefined;
  let end: Destination | undefined;
  let carried: Point = { x: 0, y: 0 };
  const act: Act = {
    kind: 'drag',
    byHand: 'drag',
    reaches: async (_target, options) => {
      const { from } = request;
      const begun = 'point' in from ? await pointTarget(parts, from.point, options) : undefined;
      return [begun?.element, end?.element].filter((one) => one !== undefined);
    },
    reactionMs: REACTION_MS,
    judge: (seen) => judgeDrag(seen, carried),
    presses: async (target) => {
      const { element } = end ?? {};
      if (element === undefined) return target.node;
      if (isTrash(element.name)) return { ...element, isDropped: true };
      return isDestructive(element) ? element : target.node;
    },
    prepare: async (target, options) => {
      end = await destination(parts, request.to, options);
      // Last, so that its window ends up in front.
      spot = 'ref' in request.from ? await reachPoint(parts, target, options) : undefined;
    },
    run: async (_node, options, target) => {
      if (end === undefined) throw new Error('the act was not prepared');
      const { point: to, windowKey } = end;
      const { from, pressedAtMs } = await withInputLease(parts, options(), async (lease) => {
        const aimed = spot && (await aim(parts, { lease, target, spot }, options));
        const from = aimed?.point ?? pointOf(request.from);
        if (!aimed) await lease.moveTo(from, options());
        const windows = [target.record.window, windowKey].filter((key) => key !== '');
        const { durationMs } = request;
        await carry(parts, { lease, from, to, windows, durationMs, onto: aimed?.onto }, options);
        return { from, pressedAtMs: lease.pressedAtMs };
      });
      carried = { x: to.x - from.x, y: to.y - from.y };
      const via = `pointer:drag from ${from.x},${from.y} to ${to.x},${to.y}`;
      return { delivered: true, via, pressedAtMs };
    },
  };
  return parts.actor.perform(request, (options) => origin(parts, request, options), act);
}

async function origin(
  parts: InputParts,
  { from, to }: DragRequest,
  options: CallOptions,
): Promise<ResolvedTarget> {
  const points = [from, to].flatMap((place) => ('point' in place ? [place.point] : []));
  if (points.length > 0) await requireOnScreen(parts.desktop, points, options);
  if ('ref' in from) return parts.resolver.resolveForActing(from.ref, options);
  return (await pointTarget(parts, from.point, options)).target;
}

interface Destination {
  readonly point: Point;
  readonly windowKey: string;
  readonly element: NodeDetails | undefined;
}

async function destination(parts: InputParts, to: Place, options: () => CallOptions): Promise<Destination> {
  if ('ref' in to) {
    const target = await parts.resolver.resolveForActing(to.ref, options());
    const { point } = await reachPoint(parts, target, options);
    return { point, windowKey: target.record.window, element: target.node };
  }
  const { target, element } = await pointTarget(parts, to.point, options());
  return { point: to.point, windowKey: target.record.window, element };
}

async function carry(
  { clock, desktop }: InputParts,
  way: {
    readonly lease: InputLease;
    readonly from: Point;
    readonly to: Point;
    readonly windows: readonly string[];
    readonly durationMs: number;
    readonly onto: string | undefined;
  },
  options: () => CallOptions,
): Promise<void> {
  const { lease, from, to, windows, durationMs, onto } = way;
  await lease.buttonDown('left', { ...options(), onto });
  try {
    await lease.moveTo(towards(from, to, NUDGE), options());
    const legs = Math.max(2, Math.ceil(durationMs / LOOK_EVERY_MS));
    for (let leg = 1; leg <= legs; leg++) {
      const point = between(from, to, leg / legs);
      await lease.moveTo(point, { ...options(), durationMs: durationMs / legs });
      for (const key of windows) await windowByKey(desktop, key, options());
    }
    await clock.sleep(DROP_AFTER_MS, options().signal);
    requireArrival(to, await desktop.input.pointer(options()));
    await lease.buttonUp('left', options());
  } catch (error) {
    throw dropped(error);
  }
}

function pointOf(place: Place): Point {
  if ('point' in place) return place.point;
  throw new Error('the drag starts at an element, not at a point');
}

function towards(from: Point, to: Point, pixels: number): Point {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  return length <= pixels ? to : between(from, to, pixels / length);
}

function between(from: Point, to: Point, share: number): Point {
  return { x: Math.round(from.x + (to.x - from.x) * share), y: Math.round(from.y + (to.y - from.y) * share) };
}

/** Monitors of different sizes leave corners of the screen that the pointer cannot reach. */
function requireArrival(wanted: Point, found: Point): void {
  if (wanted.x === found.x && wanted.y === found.y) return;
  throw new DeskterityError(
    'NOT_ACTIONABLE',
    `The pointer is at ${found.x},${found.y} instead of ${wanted.x},${wanted.y}.`,
    { suggestion: 'Choose a point that is on a monitor.' },
  );
}

/** The dragged element was dropped wherever the pointer was. */
function dropped(error: unknown): unknown {
  if (!(error instanceof DeskterityError)) return error;
  return error.with({
    message: `The drag was interrupted. ${error.message}`,
    suggestion: `Check with ${mentionCommand('snapshot')} where things are now.`,
    delivered: true,
    retryable: false,
  });
}

/** The effect of a drag: changes around it, or a new position of its element. */
function judgeDrag(seen: Observation, way: Point): Judgement {
  const effect = judgeByEffects(seen);
  if (effect) return effect;
  const [was, is] = [seen.before.bounds, seen.after?.bounds];
  if (was && is && (was.x !== is.x || was.y !== is.y)) {
    const reading = `fresh read: at ${is.x},${is.y} (was ${was.x},${was.y})`;
    if (!isAlong(way, { x: is.x - was.x, y: is.y - was.y }))
      return unverified([reading, 'the pointer did not carry it there'], false);
    const others = seen.changes.length > 0 || seen.windowChanges.length > 0;
    return others ? confirmed([reading], false) : unverified([reading, 'nothing else confirms it'], false);
  }
  return sawNothing(seen)
    ? { ...unverified([seen.dismissed === undefined ? NOTHING_CHANGED : DISMISSED], false), sawNothing: true }
    : unverified([OTHER_CAUSES], false);
}

/** A dragged element follows the pointer, at most snapping to a grid; any other move has another cause. */
function isAlong(way: Point, moved: Point): boolean {
  const length = Math.hypot(way.x, way.y);
  return Math.hypot(moved.x - way.x, moved.y - way.y) <= Math.max(SNAP, length / 2);
}
