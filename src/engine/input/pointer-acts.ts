import { mentionCommand } from '../../model/text/mention.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import type { Role } from '../../model/tree/role.ts';
import type { MouseButton } from '../../ports/input.ts';
import type { Act, ActKind } from '../acting/attempt.ts';
import { confirmed, noOp, unverified } from '../evidence/evidence.ts';
import type { ResolvedTarget } from '../refs/target.ts';
import { bringToFront } from './front.ts';
import { hitTest } from './hit-test.ts';
import { withInputLease } from './input-lease.ts';
import type { PointerParts } from './input-lease.ts';
import { aim, reachPoint } from './reach-point.ts';
import type { Aimed, Spot } from './reach-point.ts';

/** Longer than toolkits take to show what a real click or key did; unlike actions, these are not answered. */
export const REACTION_MS = 250;

interface Prepared {
  readonly target: ResolvedTarget;
  readonly spot: Spot;
}

/**
 * An act that needs its element under the pointer: reached before the last look, aimed at after it.
 *
 * @param inFront with its window in front, too: the first of several clicks would otherwise be spent on that
 */
function underPointer(
  parts: PointerParts,
  inFront = false,
): Pick<Act, 'prepare' | 'reactionMs'> & { readonly prepared: () => Prepared } {
  let prepared: Prepared | undefined;
  return {
    reactionMs: REACTION_MS,
    prepare: async (target, options) => {
      if (inFront) await bringToFront(parts, target.record.window, options);
      prepared = { target, spot: await reachPoint(parts, target, options) };
    },
    prepared: () => {
      if (prepared === undefined) throw new Error('the act was not prepared');
      return prepared;
    },
  };
}

/** A click with the real pointer at the place where the element is. */
export function pointerClick(
  parts: PointerParts,
  what: Pick<Act, 'judge' | 'already'> & {
    readonly kind: ActKind;
    readonly button: MouseButton;
    readonly count: number;
  },
): Act {
  const { kind, button, count, judge, already } = what;
  const { prepared, ...preparing } = underPointer(parts, count > 1);
  return {
    kind,
    judge,
    already,
    ...preparing,
    run: async (_node, options) => {
      const openBefore = new Set<string>();
      const { point, sentAtMs, pressedAtMs } = await withInputLease(parts, options(), async (lease) => {
        const aimed = await aim(parts, { lease, ...prepared() }, options);
        const now = parts.clock.now();
        await lease.click(button, count, {
          ...options(),
          check: witness(parts, prepared().target, { spot: aimed, openBefore }),
        });
        return { ...aimed, sentAtMs: now, pressedAtMs: lease.pressedAtMs };
      });
      const times = count === 1 ? '' : ` ${count} times`;
      return {
        delivered: true,
        via: `pointer:${button} button${times} at ${point.x},${point.y}`,
        sentAtMs,
        pressedAtMs,
        openBefore,
      };
    },
  };
}

/** What these do, they do when the button is let go on them. */
const RELEASED_ROLES: ReadonlySet<Role> = new Set<Role>([
  'button',
  'togglebutton',
  'checkbox',
  'radio',
  'switch',
  'link',
]);

/** Longest that a button is held down for the application to say what lies under it. */
const WITNESS_MS = 200;

/**
 * Looks while the button is held down, when nothing can have come of it yet. Ends the click only where the application says that another element
 * lies there: between the last look and the press something may have moved.
 *
 * @param openBefore is given the windows that are there
 */
function witness(
  { desktop }: PointerParts,
  { ref }: ResolvedTarget,
  { spot, openBefore }: { readonly spot: Aimed; readonly openBefore: Set<string> },
): (() => Promise<void>) | undefined {
  if (!spot.isCertain || !RELEASED_ROLES.has(spot.node.role)) return undefined;
  const limit = { deadlineMs: WITNESS_MS };
  return async () => {
    const hit = await hitTest(desktop, spot, limit).catch(() => undefined);
    if (hit?.kind === 'element')
      throw new DeskterityError(
        'NOT_ACTIONABLE',
        `${ref} went away from under the pointer while the button was down, which was let go elsewhere.`,
        {
          suggestion: `Wait until it is at rest, look again with ${mentionCommand('snapshot')} and repeat the command.`,
          delivered: true,
        },
      );
    for (const { id } of await desktop.listWindows(limit).catch(() => [])) openBefore.add(id);
  };
}

/** The pointer over an element, without a click. */
export function hoverAct(parts: PointerParts): Act {
  const { prepared, ...preparing } = underPointer(parts);
  let aimed: Aimed | undefined;
  let place = { x: Number.NaN, y: Number.NaN };
  return {
    kind: 'hover',
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
      const reading = `the display says that the pointer is at ${place.x},${place.y}`;
      if (aimed === undefined || place.x !== aimed.point.x || place.y !== aimed.point.y)
        return noOp([reading], true);
      return aimed.isCertain
        ? confirmed([reading, 'the application says that the element lies there'], true)
        : unverified([reading, 'the application does not say which element lies there'], true);
    },
  };
}
