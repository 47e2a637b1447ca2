import type { HeldReceipt, Receipt } from '../../model/effects/effect.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import type { CallOptions } from '../../ports/desktop.ts';
import type { InputLease, MouseButton, Point } from '../../ports/input.ts';
import type { Act } from '../acting/attempt.ts';
import { confirmed } from '../evidence/evidence.ts';
import type { Judgement, Observation } from '../evidence/evidence.ts';
import { judgeFreely } from '../evidence/judge-click.ts';
import type { ResolvedTarget } from '../refs/resolve.ts';
import type { InputParts, InputRequest } from './input-parts.ts';
import { judgeScroll } from './judge-scroll.ts';
import { requireOnScreen } from './on-screen.ts';
import { pointTarget } from './point-target.ts';
import { REACTION_MS } from './pointer-acts.ts';
import { withInputLease } from './input-lease.ts';

/** The pointer at places of the screen, whatever lies there. */
export interface MouseActs {
  /** `isRelative`: the point is a distance from where the pointer is. */
  move(request: InputRequest & { readonly point: Point; readonly isRelative: boolean }): Promise<Receipt>;
  click(
    request: InputRequest & { readonly point: Point; readonly button: MouseButton; readonly count: number },
  ): Promise<Receipt>;
  /** Presses a button where the pointer is, or lets it go. */
  hold(
    request: InputRequest & { readonly button: MouseButton; readonly isDown: boolean },
  ): Promise<HeldReceipt>;
  /** Turns the wheel where the pointer is; `notches` down and right are positive. */
  wheel(request: InputRequest & { readonly notches: Point }): Promise<Receipt>;
}

export class Mouse implements MouseActs {
  private readonly parts: InputParts;

  constructor(parts: InputParts) {
    this.parts = parts;
  }

  move(request: InputRequest & { readonly point: Point; readonly isRelative: boolean }): Promise<Receipt> {
    let wanted = request.point;
    let place = wanted;
    return this.perform(request, {
      at: async (options) => {
        if (request.isRelative) wanted = sum(await this.parts.desktop.input.pointer(options), request.point);
        await requireOnScreen(this.parts.desktop, [wanted], options);
        return wanted;
      },
      words: 'moved to',
      work: async (lease, options) => {
        await lease.moveTo(wanted, options());
        place = await this.parts.desktop.input.pointer(options());
      },
      judge: () => {
        const reading = `the display says that the pointer is at ${place.x},${place.y}`;
        if (place.x === wanted.x && place.y === wanted.y) return confirmed([reading], true);
        const hasMoved = place.x === wanted.x || place.y === wanted.y;
        return {
          effect: hasMoved ? 'partial' : 'no_op',
          evidence: [reading, 'no monitor shows what lies beyond'],
          retrySafe: true,
        };
      },
    });
  }

  click(
    request: InputRequest & { readonly point: Point; readonly button: MouseButton; readonly count: number },
  ): Promise<Receipt> {
    const { point, button, count } = request;
    return this.perform(request, {
      at: async (options) => {
        await requireOnScreen(this.parts.desktop, [point], options);
        return point;
      },
      words: `${button} button${count === 1 ? '' : ` ${count} times`} at`,
      work: async (lease, options) => {
        await lease.moveTo(point, options());
        requireThere(point, await this.parts.desktop.input.pointer(options()));
        await lease.click(button, count, options());
      },
    });
  }

  async hold(
    request: InputRequest & { readonly button: MouseButton; readonly isDown: boolean },
  ): Promise<HeldReceipt> {
    const { button, isDown } = request;
    let held: readonly string[] = [];
    const receipt = await this.perform(request, {
      at: (options) => this.parts.desktop.input.pointer(options),
      words: `${button} button ${isDown ? 'down' : 'up'} at`,
      keep: true,
      work: async (lease, options) => {
        await (isDown ? lease.buttonDown(button, options()) : lease.buttonUp(button, options()));
        ({ held } = lease);
      },
    });
    return { ...receipt, held: [...held] };
  }

  wheel(request: InputRequest & { readonly notches: Point }): Promise<Receipt> {
    const { notches } = request;
    return this.perform(request, {
      at: (options) => this.parts.desktop.input.pointer(options),
      words: `wheel ${notches.x},${notches.y} at`,
      work: (lease, options) => lease.wheel(notches, options()),
      judge: (seen) => judgeScroll(seen, notches),
    });
  }

  private perform(
    request: InputRequest,
    what: {
      readonly at: (options: CallOptions) => Promise<Point>;
      readonly words: string;
      readonly keep?: boolean;
      readonly judge?: (seen: Observation) => Judgement;
      readonly work: (lease: InputLease, options: () => CallOptions) => Promise<void>;
    },
  ): Promise<Receipt> {
    const { parts } = this;
    const { keep = false, judge = judgeFreely } = what;
    let via = '';
    const resolve = async (options: CallOptions): Promise<ResolvedTarget> => {
      const point = await what.at(options);
      const found = await pointTarget(parts, point, options);
      via = `pointer:${what.words} ${point.x},${point.y}${found.words}`;
      return found.target;
    };
    const act: Act = {
      kind: 'mouse',
      reactionMs: REACTION_MS,
      judge,
      run: async (_node, options) => {
        const pressedAtMs = await withInputLease(parts, { ...options(), keep }, async (lease) => {
          await what.work(lease, options);
          return lease.pressedAtMs;
        });
        return { delivered: true, via, pressedAtMs };
      },
    };
    return parts.actor.perform(request, resolve, act);
  }
}

function requireThere(wanted: Point, found: Point): void {
  if (wanted.x === found.x && wanted.y === found.y) return;
  throw new DeskterityError(
    'NOT_ACTIONABLE',
    `Nothing was clicked: the pointer came no further than ${found.x},${found.y}.`,
    {
      suggestion: 'Choose a place that a monitor shows; "desk screenshot" shows what there is.',
      delivered: false,
    },
  );
}

function sum(a: Point, b: Point): Point {
  return { x: a.x + b.x, y: a.y + b.y };
}
