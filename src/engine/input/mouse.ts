import { mentionCommand } from '../../model/text/mention.ts';
import { isTrash } from '../../model/destructive/words.ts';
import type { HandUse } from '../../model/effects/seat.ts';
import type { HeldReceipt, Receipt } from '../../model/effects/effect.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import type { CallOptions } from '../../ports/call-options.ts';
import type { NodeDetails } from '../../ports/desktop/elements.ts';
import type { InputLease, Point } from '../../ports/input.ts';
import type { Act } from '../acting/attempt.ts';
import { chosenUnseen } from '../acting/guard/chosen-unseen.ts';
import { confirmed, type Judgement, type Observation } from '../evidence/evidence.ts';
import { judgeWithoutPromise } from '../judging/judge-click.ts';
import { judgeScroll } from '../judging/judge-scroll.ts';
import type { ResolvedTarget } from '../refs/target.ts';
import type {
  EffectRequest,
  MouseClickRequest,
  MouseHoldRequest,
  MouseMoveRequest,
  MouseWheelRequest,
} from '../requests/acting.ts';
import { withInputLease, type InputParts } from './input-lease.ts';
import { pointTarget, requireOnScreen } from './point-target.ts';
import { around, freePlaces, REACTION_MS } from './pointer-acts.ts';

export function moveMouse(parts: InputParts, request: MouseMoveRequest): Promise<Receipt> {
  let wanted = request.point;
  let place = wanted;
  return perform(parts, request, {
    at: async (options) => {
      if (request.isRelative) wanted = sum(await parts.desktop.input.pointer(options), request.point);
      await requireOnScreen(parts.desktop, [wanted], options);
      return wanted;
    },
    words: 'moved to',
    byHand: 'hover',
    work: async (lease, options) => {
      await lease.moveTo(wanted, options());
      place = await parts.desktop.input.pointer(options());
    },
    judge: () => {
      const reading = `the display reports the pointer at ${place.x},${place.y}`;
      if (place.x === wanted.x && place.y === wanted.y) return confirmed([reading], true);
      const hasMoved = place.x === wanted.x || place.y === wanted.y;
      return {
        effect: hasMoved ? 'partial' : 'no_op',
        evidence: [reading, 'the pointer cannot leave the monitors'],
        retrySafe: true,
      };
    },
  });
}

export function clickMouse(parts: InputParts, request: MouseClickRequest): Promise<Receipt> {
  const { point, button, count } = request;
  return perform(parts, request, {
    at: async (options) => {
      await requireOnScreen(parts.desktop, [point], options);
      return point;
    },
    words: `${button} button${count === 1 ? '' : ` ${count} times`} at`,
    byHand: button !== 'left' ? 'popup' : count === 1 ? 'click' : 'double-click',
    isPressing: true,
    count,
    repeated: `mouse ${button} ${count}`,
    work: async (lease, options) => {
      await lease.moveTo(point, options());
      requireThere(point, await parts.desktop.input.pointer(options()));
      const menuPlaces = await freePlaces(parts, button === 'right' ? around(point) : [], options());
      await lease.click(button, count, options());
      return menuPlaces;
    },
  });
}

/** Presses a button where the pointer is, or releases it. */
export async function holdMouseButton(parts: InputParts, request: MouseHoldRequest): Promise<HeldReceipt> {
  const { button, isDown } = request;
  let held: readonly string[] = [];
  const receipt = await perform(parts, request, {
    at: (options) => parts.desktop.input.pointer(options),
    words: `${button} button ${isDown ? 'down' : 'up'} at`,
    byHand: 'drag',
    isPressing: true,
    isDropping: !isDown,
    keep: true,
    work: async (lease, options) => {
      await (isDown ? lease.buttonDown(button, options()) : lease.buttonUp(button, options()));
      ({ held } = lease);
    },
  });
  return { ...receipt, held: [...held] };
}

/** Turns the wheel where the pointer is. */
export function turnWheel(parts: InputParts, request: MouseWheelRequest): Promise<Receipt> {
  const { notches } = request;
  return perform(parts, request, {
    at: (options) => parts.desktop.input.pointer(options),
    words: `wheel ${notches.x},${notches.y} at`,
    byHand: 'wheel',
    isTurning: true,
    work: (lease, options) => lease.wheel(notches, options()),
    judge: (seen) => judgeScroll(seen, notches),
  });
}

function perform(
  parts: InputParts,
  { onTarget, ...request }: EffectRequest,
  what: {
    readonly at: (options: CallOptions) => Promise<Point>;
    readonly words: string;
    readonly byHand: HandUse;
    readonly keep?: boolean;
    /** It presses or releases a button there. */
    readonly isPressing?: boolean;
    /** How often it presses; once if absent. */
    readonly count?: number;
    /** What it does, if doing the same at the same place of the same element does the same. */
    readonly repeated?: string;
    /** It turns the wheel there. */
    readonly isTurning?: boolean;
    /** It only releases: what was dragged there is dropped. */
    readonly isDropping?: boolean;
    readonly judge?: (seen: Observation) => Judgement;
    /** Resolves with where a context menu may open. */
    readonly work: (lease: InputLease, options: () => CallOptions) => Promise<readonly Point[] | void>;
  },
): Promise<Receipt> {
  const { keep = false, judge = judgeWithoutPromise } = what;
  let via = '';
  let under: NodeDetails | undefined;
  let place: Point | undefined;
  const resolve = async (options: CallOptions): Promise<ResolvedTarget> => {
    const point = await what.at(options);
    onTarget?.({ ...point, width: 0, height: 0 });
    const found = await pointTarget(parts, point, options);
    via = `pointer:${what.words} ${point.x},${point.y}${found.words}`;
    under = found.element;
    place = point;
    return found.target;
  };
  const act: Act = {
    kind: 'mouse',
    byHand: what.byHand,
    count: what.count,
    reactionMs: REACTION_MS,
    usesPointer: true,
    judge,
    isSilent: keep,
    placed: () => {
      if (what.repeated === undefined || place === undefined || under?.bounds === undefined) return undefined;
      const { x, y } = under.bounds;
      return { node: under, what: `${what.repeated} ${place.x - x},${place.y - y}` };
    },
    ...(what.isPressing === true
      ? {
          presses: async () =>
            under && { ...under, isDropped: what.isDropping === true && isTrash(under.name) },
        }
      : {}),
    reaches: async (_target, options) => {
      if (under === undefined) return [];
      if (what.isTurning !== true) return [under];
      return [under, ...(await chosenUnseen(parts.desktop, { node: under, sent: 'wheel' }, options))];
    },
    run: async (_node, options) => {
      const sent = await withInputLease(parts, { ...options(), keep }, async (lease) => {
        const menuPlaces = await what.work(lease, options);
        return { menuPlaces: menuPlaces ?? undefined, pressedAtMs: lease.pressedAtMs };
      });
      return { delivered: true, via, ...sent };
    },
  };
  return parts.actor.perform(request, resolve, act);
}

function requireThere(wanted: Point, found: Point): void {
  if (wanted.x === found.x && wanted.y === found.y) return;
  throw new DeskterityError(
    'NOT_ACTIONABLE',
    `Nothing was clicked: the pointer stopped at ${found.x},${found.y}.`,
    {
      suggestion: `Choose a point that is on a monitor; ${mentionCommand('screenshot')} shows the monitors.`,
      delivered: false,
    },
  );
}

function sum(a: Point, b: Point): Point {
  return { x: a.x + b.x, y: a.y + b.y };
}
