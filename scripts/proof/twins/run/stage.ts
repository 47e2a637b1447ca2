import { setTimeout as sleep } from 'node:timers/promises';
import { actName, beginsExplaining, undoesText, type Act } from '../act/act.ts';
import type { Actor } from '../act/actor.ts';
import { clickOn, leaveMenu, mouse, park, pointAt, restAt } from '../act/mouse.ts';
import { compareViews, type Difference, type Restless } from '../look/compare.ts';
import { view } from '../look/look.ts';
import { differenceButMarks } from '../look/marks.ts';
import { sameFrame } from '../side/frame.ts';
import { bothLookAway, Pair, type PairOptions } from './pair.ts';
import { lookAtBoth, type Before } from './before.ts';
import { instrumentFailed } from './left-out.ts';
import { excluded, SIDES_DIFFER, tryAct, type Trial } from './trial.ts';

/** Acts with an effect, after which the application is started anew. */
const LONGEST = 12;
const STILL_MS = 400;
const MOST_MS = 4000;
/** Longer than most players take to hide what lies over a film. */
const WAITED_MS = 4000;

/**
 * Two sides that are worked act after act, as long as they stay alike. They are started anew when they differ, and now and then, so that nothing
 * depends on a long history.
 */
export class Stage {
  private readonly options: PairOptions;
  private readonly restless: Restless;
  private readonly keepsSpare: boolean;
  private pair: Pair | undefined;
  /** The next pair, which starts while this one is worked. */
  private spare: Promise<Pair> | undefined;
  private before: Before | undefined;
  private done: Act[] = [];

  constructor(options: PairOptions, restless: Restless, keepsSpare = false) {
    this.options = options;
    this.restless = restless;
    this.keepsSpare = keepsSpare;
  }

  /** The acts that had an effect since the application was started. */
  get trail(): readonly Act[] {
    return this.done;
  }

  /** What both sides show now. */
  async look(): Promise<Before> {
    if (this.done.length >= LONGEST) await this.end();
    this.pair ??= await this.open();
    const { pair, before } = this;
    const isStill =
      before !== undefined &&
      sameFrame(before.ours.frame, pair.ours.frame()) &&
      sameFrame(before.twin.frame, pair.twin.frame());
    this.before = isStill ? before : await lookAtBoth(pair);
    return this.before;
  }

  /** Tries an act, after those of `trail`. */
  async try(act: Act, actor: Actor): Promise<Trial> {
    try {
      const before = await this.look();
      const { pair } = this;
      if (pair === undefined) throw new Error('nothing was started');
      if (undoesText(act, this.done))
        return excluded('it undoes a text that the sides entered in different ways');
      const trial = await tryAct(pair, before, act, actor, this.restless);
      if (trial.verdict === 'excluded') {
        if (trial.reason === SIDES_DIFFER || !trial.isUnchanged) await this.end();
        return trial;
      }
      if (!trial.isUnchanged) this.done.push(act);
      this.before = trial.after;
      if (trial.after === undefined || beginsExplaining(act)) await this.end();
      return trial;
    } catch (error) {
      await this.end();
      const words = error instanceof Error ? error.message : String(error);
      return {
        verdict: 'excluded',
        reason: instrumentFailed(words),
        shown: [],
        isUnchanged: false,
      };
    }
  }

  /** Does with the mouse on both sides what led somewhere. @throws Error if it is not there again */
  async follow(act: Act): Promise<void> {
    const { ours, twin } = await this.look();
    const { pair } = this;
    if (pair === undefined) throw new Error('nothing was started');
    const both = [
      { side: pair.ours, seen: ours.seen },
      { side: pair.twin, seen: twin.seen },
    ];
    await Promise.all(
      both.map(async ({ side, seen }) => {
        const prepared = await mouse.prepare(side, seen, act);
        if ('excluded' in prepared) throw new Error(`${actName(act)}: ${prepared.excluded}`);
        await prepared.act();
        await side.untilStill(STILL_MS, MOST_MS);
        await park(side);
        await side.untilStill(STILL_MS / 2, MOST_MS);
      }),
    );
    this.before = undefined;
    this.done.push(act);
  }

  /**
   * What differs once a mouse on one side only has been at the target, or where it clicked last, without clicking. @throws Error if the target is not
   * there
   */
  async differenceByPointing({ target }: Act, restedAt?: Trial['restedAt']): Promise<Difference> {
    return this.differenceBy(async ({ twin }, seen) => {
      await (restedAt === undefined ? pointAt(twin, seen, target.key) : restAt(twin, restedAt));
      await twin.untilStill(STILL_MS, MOST_MS);
    });
  }

  /** What differs once a mouse on one side only has opened the menu and left it by the keyboard. @throws Error if the menu is not there */
  async differenceByOpening({ target }: Act): Promise<Difference> {
    return this.differenceBy(async ({ twin }, seen) => {
      await clickOn(twin, seen, target.key);
      await twin.untilStill(STILL_MS, MOST_MS);
      await leaveMenu(twin);
    });
  }

  /** What changes on the twin's side while nobody does anything, in the time that an act takes. */
  async changeByWaiting(): Promise<Difference> {
    const { twin } = await this.look();
    const { pair } = this;
    if (pair === undefined) throw new Error('nothing was started');
    await sleep(WAITED_MS);
    return differenceButMarks(twin, await view(pair.twin), this.restless);
  }

  /** What differs once a mouse on one side only has clicked the target, as it does before it types. @throws Error if it is not there */
  async differenceByClicking({ target }: Act): Promise<Difference> {
    return this.differenceBy(
      async ({ twin }, seen) => {
        await clickOn(twin, seen, target.key);
        await twin.untilStill(STILL_MS, MOST_MS);
      },
      // As after a text was entered: which window is in use shows in its colours.
      bothLookAway,
    );
  }

  /** What differs once something was done on the twin's side only, and its pointer is away again. */
  private async differenceBy(
    done: (pair: Pair, seen: Before['twin']['seen']) => Promise<void>,
    afterwards: (pair: Pair) => Promise<void> = async ({ twin }) => {
      await twin.untilStill(STILL_MS, MOST_MS);
    },
  ): Promise<Difference> {
    const before = await this.look();
    const { pair } = this;
    if (pair === undefined) throw new Error('nothing was started');
    await done(pair, before.twin.seen);
    await park(pair.twin);
    await afterwards(pair);
    const { ours, twin } = await lookAtBoth(pair);
    return compareViews(ours, twin, this.restless);
  }

  /** Ends the pair that is worked; the next look finds another one. */
  async end(): Promise<void> {
    const { pair } = this;
    this.pair = undefined;
    this.before = undefined;
    this.done = [];
    await pair?.end();
  }

  /** Ends everything. */
  async close(): Promise<void> {
    const { spare } = this;
    this.spare = undefined;
    await this.end();
    await spare?.then(
      async (pair) => pair.end(),
      () => undefined,
    );
  }

  private async open(): Promise<Pair> {
    const { spare } = this;
    this.spare = undefined;
    const pair = await (spare ?? Pair.open(this.options));
    if (this.keepsSpare) {
      this.spare = Pair.open(this.options);
      // Whoever needs it is told.
      this.spare.catch(() => undefined);
    }
    return pair;
  }
}
