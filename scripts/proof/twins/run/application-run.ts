import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { actName, actTitle, type Act } from '../act/act.ts';
import type { Actor } from '../act/actor.ts';
import { mouse } from '../act/mouse.ts';
import { usableWidgets } from '../act/widgets.ts';
import type { Application } from '../applications.ts';
import { walk } from '../look/look.ts';
import { isSameFocus } from '../look/marks.ts';
import { NOTHING_RESTLESS, restlessPlaces, type Restless } from '../look/compare.ts';
import { readFiles, unequalFiles, WRITTEN_MS } from '../look/files.ts';
import { differentTiles } from '../look/picture.ts';
import { writeFrame } from '../side/frame.ts';
import { copyHome, createHome } from '../side/home.ts';
import { Explorer } from './explore.ts';
import { firstRun, startApplication, type PairOptions } from './pair.ts';
import { pointAtMenu } from './pointed.ts';
import { actsOfBuild, Records, type ActRecord, type PlaceRecord } from './records.ts';
import { Stage } from './stage.ts';
import { SIDES_DIFFER, summary, type Trial } from './trial.ts';
import { triedAgain, UNSTABLE_REASON } from './doubts.ts';

/** How long an application is watched for what changes by itself. */
const IDLE_LOOKS = 8;
const IDLE_MS = 300;
/** New starts in a row that showed nothing new. */
const MOST_BARREN = 3;

export interface RunOptions {
  readonly application: Application;
  readonly actor: Actor;
  /** Which build of our program the actor is: acts of different builds are never counted together. */
  readonly build: string;
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
  private readonly folder: string;
  private readonly records: Records;
  private readonly home: string;
  private restless: Restless = NOTHING_RESTLESS;

  constructor(options: RunOptions) {
    this.options = options;
    this.folder = join(options.folder, options.application.name);
    mkdirSync(this.folder, { recursive: true });
    this.records = new Records(join(this.folder, `${options.actor.name}.jsonl`));
    this.home = join(this.folder, 'home');
  }

  /** The records of this application, those of earlier runs with the same build too. */
  get recorded(): { readonly start: PlaceRecord | undefined; readonly acts: readonly ActRecord[] } {
    const { start, acts } = this.records.read();
    return { start, acts: actsOfBuild(acts, this.options.build) };
  }

  /** Forgets what earlier runs recorded and kept. */
  clear(): void {
    this.records.clear();
    rmSync(this.home, { recursive: true, force: true });
    rmSync(join(this.folder, 'pictures'), { recursive: true, force: true });
  }

  async run(): Promise<void> {
    if (!existsSync(this.home)) await this.prepareHome();
    const others = this.records.read().acts.length - this.recorded.acts.length;
    if (others > 0)
      this.options.say(
        `${this.options.application.name}: ${others} acts of another build are left out; the calibration is kept`,
      );
    const start = this.records.read().start ?? (await this.lookAtStart());
    const { tiles, places, files } = start.restless;
    this.restless = { tiles: new Set(tiles), places: new Set(places), files: new Set(files) };
    await this.runPhase('calibration', mouse, this.options.calibrationActs, start.toolkit);
    await this.runPhase('acts', this.options.actor, this.options.acts, start.toolkit);
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
    const side = await startApplication(this.pairOptions(mouse));
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
      const places = restlessPlaces(seen, await walk(side));
      const written = unequalFiles(files, readFiles(side.folders.home));
      const pointed = await pointAtMenu(side, await walk(side));
      const [application] = seen.applications.filter(({ windows }) => windows.length > 0);
      const start: PlaceRecord = {
        phase: 'start',
        toolkit: application === undefined ? 'none' : `${application.toolkit} ${application.version}`.trim(),
        widgets: usableWidgets(seen),
        restless: {
          tiles: [...new Set([...tiles, ...pointed.tiles])],
          places: [...new Set([...places, ...pointed.places])],
          files: [...written],
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
    toolkit: string,
  ): Promise<void> {
    const explorer = new Explorer(this.options.random(), toolkit);
    const earlier = this.recorded.acts.filter((one) => one.phase === phase);
    for (const { act, shown } of earlier) explorer.learn(act, shown);
    const unstable = phase === 'calibration' ? new Set<string>() : this.unstableActs();
    const stage = new Stage(this.pairOptions(actor), this.restless, true);
    try {
      let count = earlier.length;
      for (let barren = 0; count < most && barren < MOST_BARREN && performance.now() < this.options.end;) {
        const { ours, twin } = await stage.look();
        const choice = explorer.choose(twin.seen, isSameFocus(ours.seen, twin.seen));
        if (choice === undefined) {
          barren += 1;
          await stage.end();
          continue;
        }
        const { act, isNew } = choice;
        if (!isNew) {
          await follow(stage, act);
          continue;
        }
        barren = 0;
        const began = performance.now();
        const trail = [...stage.trail];
        const trial = unstable.has(actName(act)) ? UNSTABLE : await this.oneAct(stage, act, actor);
        // On the way, sides that grew apart are started anew; only a start itself that comes out differently says something about the act.
        if (trial.reason === SIDES_DIFFER && trail.length > 0) {
          this.options.say(`${this.options.application.name}: ${trial.reason}: ${trial.differs?.join('; ')}`);
          continue;
        }
        count += 1;
        const durationMs = Math.round(performance.now() - began);
        this.records.add({
          phase,
          act,
          ...(phase === 'acts' ? { build: this.options.build } : {}),
          trail: trail.map(actTitle),
          toolkit,
          durationMs,
          ...plain(trial),
        });
        explorer.learn(act, trial.shown);
        this.keepPictures(`${phase}-${count}`, trial);
        this.options.say(`${this.options.application.name}, ${phase} ${count}: ${summary(act, trial)}`);
      }
    } finally {
      await stage.close();
    }
  }

  /** Acts on which the mouse did not agree with itself. */
  private unstableActs(): ReadonlySet<string> {
    const calibrated = this.records.read().acts.filter(({ phase }) => phase === 'calibration');
    const failed = calibrated.filter(({ verdict }) => verdict !== 'agree' && verdict !== 'excluded');
    return new Set(failed.map(({ act }) => actName(act)));
  }

  private async oneAct(stage: Stage, act: Act, actor: Actor): Promise<Trial> {
    const trail = [...stage.trail];
    const trial = await stage.try(act, actor);
    if (actor === mouse || trial.verdict === 'agree' || trial.verdict === 'excluded') return trial;
    return triedAgain(trial, {
      act,
      trail,
      actor,
      open: (who = mouse) => new Stage(this.pairOptions(who), this.restless),
    });
  }

  private keepPictures(name: string, { frames }: Trial): void {
    if (frames === undefined) return;
    const folder = join(this.folder, 'pictures');
    mkdirSync(folder, { recursive: true });
    writeFrame(join(folder, `${name}-ours.ppm.gz`), frames.ours);
    writeFrame(join(folder, `${name}-twin.ppm.gz`), frames.twin);
  }

  private pairOptions(actor: Actor): PairOptions {
    const { application, instrument } = this.options;
    return { application, actor, home: this.home, instrument };
  }
}

/** A click that leads somewhere may not be there again, or be of no use on the way. */
async function follow(stage: Stage, act: Act): Promise<void> {
  try {
    await stage.follow(act);
  } catch {
    await stage.end();
  }
}

/** Without what is only of use at the moment. */
function plain({ verdict, reason, answer, isVisible, differs, twin, harmless, shown }: Trial): Plain {
  return {
    verdict,
    reason,
    answer,
    isVisible,
    differs: differs && [...differs],
    twin: twin && [...twin],
    harmless,
    shown: [...shown],
  };
}

type Plain = Omit<ActRecord, 'phase' | 'act' | 'build' | 'trail' | 'toolkit' | 'durationMs'>;

const UNSTABLE = {
  verdict: 'excluded',
  reason: UNSTABLE_REASON,
  shown: [],
  isUnchanged: true,
} as const;
