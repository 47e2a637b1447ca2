import { mentionCommand } from '../../model/text/mention.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import { showKey, type KeyName } from '../../model/text/key-combination.ts';
import { isSameBounds, type Bounds } from '../../model/tree/bounds.ts';
import { roleSet, type Role } from '../../model/tree/role.ts';
import type { CallOptions } from '../../ports/call-options.ts';
import type { ActOutcome } from '../../ports/desktop/acts.ts';
import type { CapturedImage } from '../../ports/desktop/capture.ts';
import type { MouseButton, Point, Released } from '../../ports/input.ts';
import type { Act, ActKind } from '../acting/attempt.ts';
import { pictureOf } from '../acting/picture.ts';
import { RELEASED_ROLES } from '../evidence/all-presses.ts';
import { confirmed, noOp, unverified } from '../evidence/evidence.ts';
import type { ResolvedTarget } from '../refs/target.ts';
import { bringToFront } from './front.ts';
import { hitTest, pointIn, type Spot } from './hit-test.ts';
import { withInputLease, type PointerParts } from './input-lease.ts';

import { requireFree, requireStaying } from './click-checks.ts';
import { aim, reachPoint, type Aimed, type Reach } from './reach-point.ts';

/** Longer than toolkits take to show the effect of a real click or key; unlike accessibility actions, these are not acknowledged. */
export const REACTION_MS = 250;

interface Prepared {
  readonly target: ResolvedTarget;
  readonly spot: Spot;
}

/**
 * Prepares an act that needs its element under the pointer: reached before the last check, aimed at after it.
 *
 * @param inFront also brings its window to the front, which the first of several clicks would otherwise do
 * @param requireSpot checks the place once it is reached
 */
function underPointer(
  parts: PointerParts,
  {
    inFront = false,
    reach = reachPoint,
    requireSpot,
  }: {
    readonly inFront?: boolean;
    readonly reach?: Reach;
    readonly requireSpot?: typeof requireStaying;
  } = {},
): Pick<Act, 'prepare' | 'reactionMs' | 'usesPointer'> & { readonly prepared: () => Prepared } {
  let prepared: Prepared | undefined;
  return {
    reactionMs: REACTION_MS,
    usesPointer: true,
    prepare: async (target, options) => {
      if (inFront) await bringToFront(parts, target.record.window, options);
      const spot = await reach(parts, target, options);
      await requireSpot?.(parts, spot, target, options());
      prepared = { target, spot };
    },
    prepared: () => {
      if (prepared === undefined) throw new Error('the act was not prepared');
      return prepared;
    },
  };
}

/** What a click on them does is often only drawn, such as the colour that a palette's cell chooses. */
const DRAWN = roleSet('cell', 'gridcell', 'image', 'listitem', 'option');

/** A click with the real pointer on the element. */
export function pointerClick(
  parts: PointerParts,
  what: Pick<Act, 'judge' | 'already'> & {
    readonly kind: ActKind;
    readonly button: MouseButton;
    readonly count: number;
    /** A key that is held down meanwhile. */
    readonly held?: KeyName | undefined;
    /** The place to click, other than the middle of the element. */
    readonly reach?: Reach;
  },
): Act {
  const { kind, button, count, held, judge, already, reach } = what;
  const { prepared, ...preparing } = underPointer(parts, {
    ...(count > 1 ? { inFront: true, requireSpot: requireStaying } : {}),
    ...(reach === undefined ? {} : { reach }),
  });
  let pointed: CapturedImage | undefined;
  return {
    kind,
    count,
    byHand: button === 'left' ? (count === 1 ? 'click' : 'double-click') : 'popup',
    judge,
    already,
    ...preparing,
    requireFree: (target, tree, options) => requireFree(parts, prepared().spot, target, tree, options),
    pointed: () => pointed,
    setAside: (point, options) =>
      withInputLease(parts, options, async (lease) => lease.moveTo(point, options)),
    run: async (_node, options) => {
      const openBefore = new Set<string>();
      let hasStrayed = false;
      const { point, ...times } = await withInputLease(parts, options(), async (lease) => {
        const aimedAtMs = parts.clock.now();
        let menuPlaces: readonly Point[] = [];
        let besideButton: ActOutcome['besideButton'];
        const whileThere = async ({ node, window, point: place }: Spot): Promise<void> => {
          pointed = DRAWN.has(node.role) ? await pictureOf(parts.desktop, window, options()) : undefined;
          const opens = count === 1 && node.bounds ? menusOf(node.role, node.bounds) : [];
          if (button === 'left' && node.role === 'button') besideButton = { app: node.handle.app, at: place };
          menuPlaces = await freePlaces(parts, button === 'right' ? around(place) : opens, options());
        };
        const aimed = await aim(parts, { lease, reach, whileThere, ...prepared() }, options);
        const now = parts.clock.now();
        if (held) await lease.keyDown(held, options());
        // What the right button opens is there as soon as it is down.
        const check =
          button === 'left' ? whilePressed(parts, prepared().target, { spot: aimed, openBefore }) : undefined;
        // A press may open a list or a menu under the pointer, and is over then.
        const isLong = check !== undefined || count > 1;
        const onReleased = ({ windows, hasStrayed: isElsewhere }: Released): void => {
          if (check !== undefined) for (const id of windows) openBefore.add(id);
          hasStrayed = isElsewhere;
        };
        await lease.click(button, count, {
          ...options(),
          onto: aimed.onto,
          check,
          onReleased: isLong ? onReleased : undefined,
        });
        // Between the presses of a double click nothing can be looked at, nor before what the right button does.
        if (check !== undefined && count > 1)
          hasStrayed ||=
            (await hitTest(parts.desktop, aimed, WITNESS).catch(() => undefined))?.kind === 'element';
        if (button === 'right') hasStrayed ||= await hasMovedAway(parts, aimed);
        if (held) await lease.keyUp(held, options());
        return {
          point: aimed.point,
          menuPlaces,
          besideButton,
          aimedAtMs,
          sentAtMs: now,
          pressedAtMs: lease.pressedAtMs,
        };
      });
      const often = count === 1 ? '' : ` ${count} times`;
      const withKey = held === undefined ? '' : ` with ${showKey(held)}`;
      return {
        delivered: true,
        via: `pointer:${button} button${often}${withKey} at ${point.x},${point.y}`,
        ...times,
        openBefore,
        hasStrayed,
      };
    },
  };
}

/** Items of a menu bar; what is read alone does not say that it is in one. */
const TITLES = roleSet('menu', 'menuitem');

/** Where a click opens a menu: a button may have it on either side. */
function menusOf(role: Role, bounds: Bounds): readonly Point[] {
  if (role === 'button') return [under(bounds), { ...under(bounds), y: bounds.y - INSIDE_MENU_PX }];
  return TITLES.has(role) ? [under(bounds)] : [];
}

/** Where the menu of an item of a menu bar opens. Below an item of an open menu, that menu goes on. */
function under({ x, y, height }: Bounds): Point {
  return { x: x + INSIDE_MENU_PX, y: y + height + INSIDE_MENU_PX };
}

/** Far enough from the edges of a menu, and less than its first item is high. */
const INSIDE_MENU_PX = 8;

/** Where a context menu may open: at the point itself or, in GTK 4, some pixels beside it. */
export function around(point: Point): readonly Point[] {
  const { x, y } = point;
  const sides = [INSIDE_MENU_PX, -INSIDE_MENU_PX];
  return [point, ...sides.flatMap((right) => sides.map((down) => ({ x: x + right, y: y + down })))];
}

/** Those of the places where no popup is. */
export async function freePlaces(
  { desktop }: Pick<PointerParts, 'desktop'>,
  places: readonly Point[],
  options: CallOptions,
): Promise<readonly Point[]> {
  const contents = await Promise.all(
    places.map(async (place) => desktop.contentAt(place, options).catch(() => undefined)),
  );
  return places.filter((_place, index) => contents[index]?.isPopup === false);
}

/** How long a button is held down at most while the application reports what is under it. */
const WITNESS = { deadlineMs: 200 };

/**
 * Whether the element is no longer under the pointer, and another one is. A menu that opened over it has not moved it; nor has GTK 3, which reports a cell now
 * as wide as what is drawn in it, now as that of another row.
 */
async function hasMovedAway({ desktop }: PointerParts, aimed: Aimed): Promise<boolean> {
  const node = await desktop.describe(aimed.node.handle, WITNESS).catch(() => undefined);
  if (node === undefined || isSameBounds(node.bounds, aimed.node.bounds)) return false;
  if (
    node.bounds !== undefined &&
    pointIn({ ...aimed.point, width: 1, height: 1 }, node.bounds) !== undefined
  )
    return false;
  return (await hitTest(desktop, aimed, WITNESS).catch(() => undefined))?.kind === 'element';
}

/**
 * Checks the target while the button is held down, before the click can take effect. Aborts the click only if the application reports another
 * element there: something may have moved between the last check and the press.
 *
 * @param openBefore receives the ids of the windows that are there then, and of those that are by the time of the release
 */
function whilePressed(
  { desktop }: PointerParts,
  { ref }: ResolvedTarget,
  { spot, openBefore }: { readonly spot: Aimed; readonly openBefore: Set<string> },
): (() => Promise<void>) | undefined {
  if (!spot.isCertain || !RELEASED_ROLES.has(spot.node.role)) return undefined;
  return async () => {
    for (const { id } of await desktop.listWindows(WITNESS).catch(() => [])) openBefore.add(id);
    // The last question before the release: an application that answers is not about to open something else.
    const hit = await hitTest(desktop, spot, WITNESS).catch(() => undefined);
    if (hit?.kind === 'element')
      throw new DeskterityError(
        'NOT_ACTIONABLE',
        `${ref} moved away from the pointer while the button was down; the button was released elsewhere.`,
        {
          suggestion: `Wait until it stops moving, run ${mentionCommand('snapshot')} again and repeat the command.`,
          delivered: true,
        },
      );
  };
}

/** The pointer over an element, without a click. */
export function hoverAct(parts: PointerParts): Act {
  const { prepared, ...preparing } = underPointer(parts);
  let aimed: Aimed | undefined;
  let place = { x: Number.NaN, y: Number.NaN };
  return {
    kind: 'hover',
    byHand: 'hover',
    ...preparing,
    prepare: async (target, options) => {
      parts.desktop.screen?.refuse('hover');
      await preparing.prepare?.(target, options);
    },
    run: async (_node, options) => {
      aimed = await withInputLease(parts, options(), (lease) =>
        aim(parts, { lease, ...prepared() }, options),
      );
      place = await parts.desktop.input.pointer(options());
      const { point } = aimed;
      return { delivered: true, via: `pointer:moved to ${point.x},${point.y}` };
    },
    judge: () => {
      const reading = `the display reports the pointer at ${place.x},${place.y}`;
      if (aimed === undefined || place.x !== aimed.point.x || place.y !== aimed.point.y)
        return noOp([reading], true);
      return aimed.isCertain
        ? confirmed([reading, 'the application reports the element there'], true)
        : unverified([reading, 'the application does not report which element is there'], true);
    },
  };
}
