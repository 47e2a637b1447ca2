import { mentionCommand, mentionParameter } from '../../model/text/mention.ts';
import type { Receipt } from '../../model/effects/effect.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import { handleKey } from '../../model/tree/node.ts';
import { PIXELS_PER_NOTCH, type ScrollDirection } from '../../model/tree/scroll.ts';
import type { CallOptions, DesktopPort, NodeDetails } from '../../ports/desktop.ts';
import type { Point } from '../../ports/input.ts';
import type { Act } from '../acting/attempt.ts';
import { delivering } from '../acting/delivery.ts';
import { tryStrategies, type Strategy } from '../acting/strategies.ts';
import { judgeInView, judgeScroll } from '../evidence/judge-scroll.ts';
import { windowTarget, type ResolvedTarget } from '../refs/target.ts';
import type { ModedRequest, ScrollRequest } from '../requests/acting.ts';
import { isInView } from '../tree/element-states.ts';
import { bringToFront, usableWindow, windowByKey } from './front.ts';
import { coveredError, hitTest, pointIn } from './hit-test.ts';
import { withInputLease, type InputParts } from './input-lease.ts';
import { REACTION_MS } from './pointer-acts.ts';

/** Scrolling by a page keeps a little of the previous page in view. */
const PAGE_SHARE = 0.9;
const MOST_NOTCHES = 400;
/** How far the wheel turns between two looks for the element. */
const NOTCHES_PER_LOOK = 3;
const LOOK_AFTER_MS = 120;
/** Once the pace is known, most of a long distance is scrolled at once. */
const MOST_AT_ONCE = 60;
/** GTK 4 lists that were just shown report old positions for a while. */
const MOST_FUTILE_LOOKS = 3;
const SAFE_SHARE = 0.7;

const SIGNS: Readonly<Record<ScrollDirection, Point>> = {
  up: { x: 0, y: -1 },
  down: { x: 0, y: 1 },
  left: { x: -1, y: 0 },
  right: { x: 1, y: 0 },
};

/** Scrolls an element or a window. */
export function scroll(parts: InputParts, request: ScrollRequest): Promise<Receipt> {
  const sign = SIGNS[request.direction];
  let at: { readonly target: ResolvedTarget; readonly point: Point; readonly notches: Point } | undefined;
  const act: Act = {
    kind: 'scroll',
    reactionMs: REACTION_MS,
    judge: (seen) => judgeScroll(seen, sign),
    prepare: async (target, options) => {
      const point = await reach(parts, target, options);
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
  return parts.actor.perform(request, (options) => targetOf(parts, request, options), act);
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
  const { desktop, clock } = parts;
  let place: { readonly point: Point; readonly target: ResolvedTarget } | undefined;
  return {
    ...how,
    reactionMs: REACTION_MS,
    prepare: async (target, options) => {
      const container = await scrolledAncestor(parts, target, options());
      place = { target, point: await reach(parts, { ...target, node: container }, options) };
    },
    run: async (node, options) => {
      if (place === undefined) throw new Error('the act was not prepared');
      const { point, target } = place;
      let turned = 0;
      await withInputLease(parts, options(), async (lease) => {
        await lease.moveTo(point, options());
        let away = await distance(parts, await desktop.describe(node, options()), point, options());
        if (away === undefined) throw hasNoPosition(target);
        let notches = NOTCHES_PER_LOOK;
        let futileLooks = 0;
        while (turned < MOST_NOTCHES && futileLooks < MOST_FUTILE_LOOKS) {
          const now = await desktop.describe(node, options());
          if (await isVisible(parts, target, now, options())) return;
          await lease.wheel({ x: 0, y: Math.sign(away) * notches }, options());
          turned += notches;
          await clock.sleep(LOOK_AFTER_MS, options().signal);
          const next = await distance(parts, await desktop.describe(node, options()), point, options());
          if (next === undefined || Math.abs(next) >= Math.abs(away)) {
            futileLooks++;
            notches = NOTCHES_PER_LOOK;
            // It may have moved past.
            if (next !== undefined && Math.sign(next) !== Math.sign(away)) away = next;
            continue;
          }
          futileLooks = 0;
          const pace = (Math.abs(away) - Math.abs(next)) / notches;
          const needed = Math.floor((Math.abs(next) / pace) * SAFE_SHARE);
          notches = Math.min(MOST_AT_ONCE, Math.max(NOTCHES_PER_LOOK, needed));
          away = next;
        }
      });
      return {
        delivered: turned > 0,
        via: `pointer:wheel ${turned} notches over ${target.ref}`,
      };
    },
  };
}

/** GTK 4 keeps the bounds of rows that were scrolled out of view: only a hit test shows that they are not visible. */
async function isVisible(
  { desktop }: InputParts,
  { record }: ResolvedTarget,
  node: NodeDetails,
  options: CallOptions,
): Promise<boolean> {
  const window = await windowByKey(desktop, record.window, options);
  const point = isInView(node) && node.bounds ? pointIn(node.bounds, window.bounds) : undefined;
  if (point === undefined) return false;
  const hit = await hitTest(desktop, { node, window, point }, options);
  return hit.kind !== 'element';
}

/** How far below the pointer an element is, in pixels; `undefined` if unknown. */
async function distance(
  { desktop }: InputParts,
  node: NodeDetails,
  { y }: Point,
  options: CallOptions,
): Promise<number | undefined> {
  const { bounds } = node;
  const middle = bounds ? bounds.y + bounds.height / 2 : await middleBySiblings(desktop, node, options);
  return middle === undefined ? undefined : middle - y;
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

/** The middle of the scrolled element. Brings its window to the front if another one covers it. */
async function reach(parts: InputParts, target: ResolvedTarget, options: () => CallOptions): Promise<Point> {
  const { desktop } = parts;
  let window = await usableWindow(desktop, target.record.window, options());
  if (window.minimized) window = await bringToFront(parts, target.record.window, options);
  const point = pointIn(
    target.node.bounds ?? window.bounds ?? { x: 0, y: 0, width: 0, height: 0 },
    window.bounds,
  );
  if (point === undefined)
    throw new DeskterityError('NOT_ACTIONABLE', `${target.ref} was not acted on: it is not on screen.`, {
      suggestion: `Scroll its container, or the whole window: omit ${mentionParameter('ref')}.`,
      delivered: false,
    });
  const hit = await hitTest(desktop, { node: target.node, window, point }, options());
  if (hit.kind === 'window') await bringToFront(parts, target.record.window, options);
  return point;
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

/** The nearest ancestor of an element that is in view. */
async function scrolledAncestor(
  { desktop }: InputParts,
  { ref, node }: ResolvedTarget,
  options: CallOptions,
): Promise<NodeDetails> {
  let { parent } = node;
  for (let climbed = 0; parent && climbed < 64; climbed++) {
    const above: NodeDetails = await desktop.describe(parent, options);
    if (isInView(above)) return above;
    ({ parent } = above);
  }
  throw new DeskterityError('NOT_ACTIONABLE', `No ancestor of ${ref} is on screen.`, {
    suggestion: 'Open its container first: a tab, a menu, a folder.',
    delivered: false,
  });
}

function hasNoPosition({ ref, node }: ResolvedTarget): DeskterityError {
  return new DeskterityError(
    'ACTION_NOT_SUPPORTED',
    `${ref} (${node.role}) was not acted on: its position is unknown while it is out of view.`,
    {
      suggestion: `Scroll its container: ${mentionCommand('scroll', { direction: 'down', ref: 'REF' })}.`,
      delivered: false,
    },
  );
}

/** At most this many elements are read to locate one of them. */
const MOST_READ = 5000;

/** Some toolkits report an index but no bounds for elements out of view: the distance between visible siblings gives the position. */
async function middleBySiblings(
  desktop: DesktopPort,
  { handle, parent, indexInParent, remade }: NodeDetails,
  options: CallOptions,
): Promise<number | undefined> {
  // An element that was created for one reading is not updated when it comes into view.
  if (parent === undefined || indexInParent === undefined || remade === true) return undefined;
  const read = await desktop.readTree({
    ...options,
    root: parent,
    wholeTree: true,
    maxNodes: MOST_READ,
    includeActions: false,
  });
  const shown = read.root.children.filter(
    (node) => isInView(node) && handleKey(node.handle) !== handleKey(handle),
  );
  const [first, last] = await Promise.all(
    [shown[0], shown.at(-1)].map(async (node) => node && desktop.describe(node.handle, options)),
  );
  if (!first?.bounds || !last?.bounds) return undefined;
  if (first.indexInParent === undefined || last.indexInParent === undefined) return undefined;
  const steps = last.indexInParent - first.indexInParent;
  const pitch = steps > 0 ? (last.bounds.y - first.bounds.y) / steps : first.bounds.height;
  return first.bounds.y + first.bounds.height / 2 + (indexInParent - first.indexInParent) * pitch;
}
