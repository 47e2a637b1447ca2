import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { actName, type Act } from '../act/act.ts';
import type { Actor } from '../act/actor.ts';
import { mouse } from '../act/mouse.ts';
import { usableWidgets } from '../act/widgets.ts';
import type { Application } from '../applications.ts';
import { walk } from '../look/look.ts';
import { NOTHING_RESTLESS, restlessPlaces, type Restless } from '../look/compare.ts';
import { readFiles, unequalFiles, WRITTEN_MS } from '../look/files.ts';
import { differentTiles } from '../look/picture.ts';
import { copyHome, createHome } from '../side/home.ts';
import { Explorer } from './explore.ts';
import { firstRun, Pair, startApplication, Unreached, type PairOptions } from './pair.ts';
import { Records, type ActRecord, type PlaceRecord } from './records.ts';
import { lookAtBoth, summary, tryAct, type Before, type Trial } from './trial.ts';

/** How long an application is watched for what changes by itself. */
const IDLE_LOOKS = 8;
const IDLE_MS = 300;

export interface RunOptions {
  readonly application: Application;
  readonly actor: Actor;
  /** For HOME, records and everything else that stays between runs. */
  readonly folder: string;
  readonly instrument: string;
  readonly random: () => () => number;
  /** Acts of our side, and acts of mouse against mouse before them. */
  readonly acts: number;
  readonly calibrationActs: number;
  /** `performance.now()` at which the run stops; what is missing is left to the next one. */
  readonly end: number;
  readonly say: (text: string) => void;
}

/** Works one application on both sides until its acts are done or the time is up, and records each act. */
export class ApplicationRun {
  private readonly options: RunOptions;
  private readonly records: Records;
  private readonly home: string;
  private restless: Restless = NOTHING_RESTLESS;

  constructor(options: RunOptions) {
    this.options = options;
    const folder = join(options.folder, options.application.name);
    mkdirSync(folder, { recursive: true });
    this.records = new Records(join(folder, `${options.actor.name}.jsonl`));
    this.home = join(folder, 'home');
  }

  /** All records of this application, those of earlier runs too. */
  get recorded(): { readonly start: PlaceRecord | undefined; readonly acts: readonly ActRecord[] } {
    return this.records.read();
  }

  /** Forgets what earlier runs recorded and kept. */
  clear(): void {
    this.records.clear();
    rmSync(this.home, { recursive: true, force: true });
  }

  async run(): Promise<void> {
    if (!existsSync(this.home)) await this.prepareHome();
    const start = this.records.read().start ?? (await this.lookAtStart());
    const { tiles, places, files } = start.restless;
    this.restless = { tiles: new Set(tiles), places: new Set(places), files: new Set(files) };
    await this.runPhase('calibration', mouse, this.options.calibrationActs, start);
    await this.runPhase('acts', this.options.actor, this.options.acts, start);
  }

  /**
   * A HOME as it is after a first run, so that no act meets the dialogs of one. An application that does not end when its windows are closed
   * would leave locks behind: it begins each time as if it were the first.
   */
  private async prepareHome(): Promise<void> {
    createHome(this.home);
    const isKept = await firstRun(this.pairOptions(mouse), (home) => {
      rmSync(this.home, { recursive: true, force: true });
      copyHome(home, this.home);
    });
    if (!isKept) this.options.say(`${this.options.application.name} stayed when its windows were closed`);
  }

  /** Looks at the application alone: its widgets, and what changes on its screen while nobody does anything. */
  private async lookAtStart(): Promise<PlaceRecord> {
    const side = await startApplication(this.pairOptions(mouse), []);
    try {
      const seen = await walk(side);
      const first = side.frame();
      const files = readFiles(side.folders.home);
      const tiles = new Set<number>();
      for (let look = 0; look < IDLE_LOOKS; look++) {
        await sleep(IDLE_MS);
        for (const tile of differentTiles(first, side.frame())) tiles.add(tile);
      }
      await sleep(WRITTEN_MS - IDLE_LOOKS * IDLE_MS);
      const [application] = seen.applications.filter(({ windows }) => windows.length > 0);
      const start: PlaceRecord = {
        phase: 'start',
        toolkit: application === undefined ? 'none' : `${application.toolkit} ${application.version}`.trim(),
        widgets: usableWidgets(seen),
        restless: {
          tiles: [...tiles],
          places: restlessPlaces(seen, await walk(side)),
          files: [...unequalFiles(files, readFiles(side.folders.home))],
        },
      };
      this.records.add(start);
      return start;
    } finally {
      await side.end();
    }
  }

  private async runPhase(
    phase: 'calibration' | 'acts',
    actor: Actor,
    most: number,
    start: PlaceRecord,
  ): Promise<void> {
    const explorer = new Explorer(this.options.random());
    explorer.learnPlace([], start.widgets);
    const done = new Map(
      this.records
        .read()
        .acts.filter((one) => one.phase === phase)
        .map((one) => [actName(one.act), one]),
    );
    const unstable = phase === 'calibration' ? new Set<string>() : this.unstableActs();
    const stage = new Stage(this.pairOptions(actor));
    try {
      for (let count = 0; count < most; count++) {
        const act = explorer.next();
        if (act === undefined) break;
        const earlier = done.get(actName(act));
        if (earlier !== undefined) {
          explorer.learn(act, earlier.shown);
          continue;
        }
        if (performance.now() >= this.options.end) break;
        const began = performance.now();
        const trial = unstable.has(actName(act)) ? UNSTABLE : await this.oneAct(stage, act, actor);
        const { isUnchanged: _, ...kept } = trial;
        const durationMs = Math.round(performance.now() - began);
        this.records.add({ phase, act, toolkit: start.toolkit, durationMs, ...this.plain(kept) });
        explorer.learn(act, trial.shown);
        this.options.say(`${this.options.application.name}, ${phase} ${count + 1}: ${summary(act, trial)}`);
      }
    } finally {
      await stage.end();
    }
  }

  /** Acts on which the mouse did not agree with itself. */
  private unstableActs(): ReadonlySet<string> {
    const calibrated = this.records.read().acts.filter(({ phase }) => phase === 'calibration');
    const failed = calibrated.filter(({ verdict }) => verdict !== 'agree' && verdict !== 'excluded');
    return new Set(failed.map(({ act }) => actName(act)));
  }

  /** A disagreement is tried with the mouse on both sides: an act that is unstable there says nothing. */
  private async oneAct(stage: Stage, act: Act, actor: Actor): Promise<Trial> {
    if (act.target.unreachable !== undefined)
      return {
        verdict: 'excluded',
        reason: `its middle is ${act.target.unreachable}`,
        shown: [],
        isUnchanged: true,
      };
    const trial = await stage.try(act, actor, this.restless);
    if (actor === mouse || trial.verdict === 'agree' || trial.verdict === 'excluded') return trial;
    const again = new Stage(this.pairOptions(mouse));
    try {
      const calibrated = await again.try(act, mouse, this.restless);
      if (calibrated.verdict === 'agree') return trial;
      return { ...trial, verdict: 'excluded', reason: UNSTABLE.reason ?? '' };
    } finally {
      await again.end();
    }
  }

  private plain(
    trial: Omit<Trial, 'isUnchanged'>,
  ): Omit<ActRecord, 'phase' | 'act' | 'toolkit' | 'durationMs'> {
    return {
      ...trial,
      shown: [...trial.shown],
      ...(trial.differs === undefined ? { differs: undefined } : { differs: [...trial.differs] }),
      ...(trial.twin === undefined ? { twin: undefined } : { twin: [...trial.twin] }),
    };
  }

  private pairOptions(actor: Actor): PairOptions {
    const { application, instrument } = this.options;
    return { application, actor, home: this.home, instrument };
  }
}

const UNSTABLE: Trial = {
  verdict: 'excluded',
  reason: 'unstable under the mouse',
  shown: [],
  isUnchanged: true,
};

/** Two sides at one place, started anew whenever something changed them. */
class Stage {
  private readonly options: PairOptions;
  private pair: Pair | undefined;
  private at = '';
  private before: Before | undefined;

  constructor(options: PairOptions) {
    this.options = options;
  }

  async try(act: Act, actor: Actor, restless: Restless): Promise<Trial> {
    let trial = await this.once(act, actor, restless);
    // A start that came out differently is tried once more before the act is given up.
    if (trial.reason?.startsWith('the sides')) trial = await this.once(act, actor, restless);
    return trial;
  }

  async end(): Promise<void> {
    const { pair } = this;
    this.pair = undefined;
    this.before = undefined;
    await pair?.end();
  }

  private async once(act: Act, actor: Actor, restless: Restless): Promise<Trial> {
    const place = JSON.stringify(act.steps);
    try {
      if (this.pair === undefined || this.at !== place) {
        await this.end();
        this.pair = await Pair.open(this.options, act.steps);
        this.at = place;
      }
      this.before ??= await lookAtBoth(this.pair);
      const trial = await tryAct(this.pair, this.before, act, actor, restless);
      if (!trial.isUnchanged) await this.end();
      return trial;
    } catch (error) {
      await this.end();
      const words = error instanceof Error ? error.message : String(error);
      const reason =
        error instanceof Unreached ? 'its place was not reached again' : `the instrument failed: ${words}`;
      return { verdict: 'excluded', reason, shown: [], isUnchanged: false };
    }
  }
}
