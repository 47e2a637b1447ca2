import type { Receipt } from '../../model/effects/effect.ts';
import { PIXELS_PER_NOTCH, type ScrollDirection } from '../../model/tree/scroll.ts';
import type { CallOptions } from '../../ports/call-options.ts';
import type { NodeDetails } from '../../ports/desktop/elements.ts';
import type { Point } from '../../ports/input.ts';
import type { Act } from '../acting/attempt.ts';
import { chosenUnseen } from '../acting/guard/chosen-unseen.ts';
import { delivering } from '../acting/delivery.ts';
import { tryStrategies, type Strategy } from '../acting/strategies.ts';
import { judgeInView, judgeScroll } from '../judging/judge-scroll.ts';
import { windowTarget, type ResolvedTarget } from '../refs/target.ts';
import type { ModedRequest, ScrollRequest } from '../requests/acting.ts';
import { isInView } from '../tree/element-states.ts';
import { windowByKey } from './front.ts';
import { coveredError, hitTest } from './hit-test.ts';
import { withInputLease, type InputParts } from './input-lease.ts';
import { REACTION_MS } from './pointer-acts.ts';
import { scrollBarsNow, scrollReversal, type ScrollBars } from './scroll-reversal.ts';
import { isVisible, reach, wheelPlace, wheelUntilVisible, type WheelPlace } from './wheel-into-view.ts';

/** Scrolling by a page keeps a little of the previous page in view. */
const PAGE_SHARE = 0.9;
const MOST_NOTCHES = 400;
const SIGNS: Readonly<Record<ScrollDirection, Point>> = {
  up: { x: 0, y: -1 },
  down: { x: 0, y: 1 },
  left: { x: -1, y: 0 },
  right: { x: 1, y: 0 },
};

/** Scrolls an element or a window. */
export async function scroll(parts: InputParts, { onReversal, ...request }: ScrollRequest): Promise<Receipt> {
  const { clock } = parts;
  const until = clock.now() + request.deadlineMs;
  let bars: ScrollBars | undefined;
  const sign = SIGNS[request.direction];
  let at: { readonly target: ResolvedTarget; readonly point: Point; readonly notches: Point } | undefined;
  const act: Act = {
    kind: 'scroll',
    byHand: 'wheel',
    reactionMs: REACTION_MS,
    judge: (seen) => judgeScroll(seen, sign),
    reaches: async (target, options) =>
      chosenUnseen(parts.desktop, { node: target.node, sent: 'wheel' }, options),
    prepare: async (target, options) => {
      const point = await reach(parts, target, options);
      if (onReversal) bars = await scrollBarsNow(parts, target, options());
      const { bounds } = target.node;
      const length = (sign.x === 0 ? bounds?.height : bounds?.width) ?? PIXELS_PER_NOTCH;
      const pixels = request.amount === 'page' ? length * PAGE_SHARE : request.amount;
      const count = Math.min(MOST_NOTCHES, Math.max(1, Math.round(pixels / PIXELS_PER_NOTCH)));
      at = { target, point, notches: { x: sign.x * count, y: sign.y * count } };
    },
    run: async (_node, options) => {
      if (at === undefined) throw new Error('the act was not prepared');
      const { target, point, notches } = at;
      await withInputLease(parts, options(), async (lease) => {
        await lease.moveTo(point, options());
        await requireReach(parts, target, point, options());
        await lease.wheel(notches, options());
      });
      const count = Math.abs(notches.x + notches.y);
      return {
        delivered: true,
        via: `pointer:wheel ${count} notches ${request.direction}`,
      };
    },
  };
  const receipt = await parts.actor.perform(request, (options) => targetOf(parts, request, options), act);
  if (onReversal) {
    const deadlineMs = Math.max(1, until - clock.now());
    onReversal(await scrollReversal(parts, bars, { deadlineMs, signal: request.signal }));
  }
  return receipt;
}

/** Brings an element into view. */
export async function scrollTo(parts: InputParts, request: ModedRequest): Promise<Receipt> {
  const isThere = await delivering(false, async () => {
    const target = await parts.resolver.resolveForActing(request.ref, request);
    return isVisible(parts, target, target.node, request);
  });
  const how = {
    kind: 'scroll',
    judge: judgeInView,
    already: (node: NodeDetails) =>
      isThere && isInView(node) ? ['already', 'fresh read: in view'] : undefined,
  } as const;
  const strategies: readonly Strategy[] = [
    {
      backend: 'accessibility',
      act: () => ({ ...how, run: (node, options) => parts.desktop.scrollIntoView(node, options()) }),
    },
    { backend: 'pointer', act: () => wheelTo(parts, how) },
  ];
  return tryStrategies({ command: 'scroll', mode: request.mode, strategies }, (act) =>
    parts.actor.onElement(request, act),
  );
}

/** Turns the wheel over the window until the element is in view or comes no nearer. */
function wheelTo(parts: InputParts, how: Pick<Act, 'kind' | 'judge' | 'already'>): Act {
  let place: WheelPlace | undefined;
  return {
    ...how,
    byHand: 'wheel',
    reactionMs: REACTION_MS,
    prepare: async (target, options) => {
      place = await wheelPlace(parts, target, options);
    },
    run: async (_node, options) => {
      if (place === undefined) throw new Error('the act was not prepared');
      const turned = await wheelUntilVisible(parts, place, options);
      return {
        delivered: turned > 0,
        via: `pointer:wheel ${turned} notches over ${place.target.ref}`,
      };
    },
  };
}

async function targetOf(
  parts: InputParts,
  request: ScrollRequest,
  options: CallOptions,
): Promise<ResolvedTarget> {
  const { resolver, scope } = parts;
  return request.ref === undefined
    ? windowTarget(parts, await scope.window(request, options), options)
    : resolver.resolveForActing(request.ref, options);
}

/** The point must belong to the window; the toolkit decides which part of it receives the wheel. */
async function requireReach(
  { desktop }: InputParts,
  target: ResolvedTarget,
  point: Point,
  options: CallOptions,
): Promise<void> {
  const window = await windowByKey(desktop, target.record.window, options);
  const hit = await hitTest(desktop, { node: target.node, window, point }, options);
  if (hit.kind === 'window') throw await coveredError(desktop, { ref: target.ref, hit }, options);
}
