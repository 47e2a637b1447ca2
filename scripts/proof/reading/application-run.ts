import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { keyText } from '../twins/act/widgets.ts';
import type { Actor } from '../twins/act/actor.ts';
import type { Application } from '../twins/applications.ts';
import { walk, walkEverything } from '../twins/look/look.ts';
import type { Seen } from '../twins/look/tree.ts';
import { firstRun, startApplication, type PairOptions } from '../twins/run/pair.ts';
import { copyHome, createHome } from '../twins/side/home.ts';
import type { Side } from '../twins/side/side.ts';
import { compare, type Look } from './compare.ts';
import { list } from './listed.ts';
import { dialogFrom, placesFrom, type Steps } from './places.ts';
import { Records, type Place } from './records.ts';

const STILL_MS = 400;
const MOST_MS = 4000;

export interface RunOptions {
  readonly application: Application;
  /** The folder that contains the `dist` of our program. */
  readonly program: string;
  /** For HOME and records, which stay between runs. */
  readonly folder: string;
  readonly instrument: string;
  readonly random: () => number;
  /** `performance.now()` at which the run stops. */
  readonly end: number;
  readonly say: (text: string) => void;
}

/** Reads one application at several places, each from a fresh start, and records each. */
export class ApplicationRun {
  private readonly options: RunOptions;
  private readonly records: Records;
  private readonly home: string;

  constructor(options: RunOptions) {
    this.options = options;
    const folder = join(options.folder, options.application.name);
    mkdirSync(folder, { recursive: true });
    this.records = new Records(join(folder, 'places'));
    this.home = join(folder, 'home');
  }

  get recorded(): readonly Place[] {
    return this.records.read();
  }

  clear(): void {
    this.records.clear();
    rmSync(this.home, { recursive: true, force: true });
  }

  async run(): Promise<void> {
    if (!existsSync(this.home)) await this.prepareHome();
    const start = await this.place([]);
    if (start === undefined) return;
    for (const steps of placesFrom(start, this.options.random)) {
      const opened = await this.place(steps);
      const dialog = opened && dialogFrom(opened, start, steps, this.options.random);
      if (dialog !== undefined) await this.place(dialog);
    }
  }

  private async prepareHome(): Promise<void> {
    createHome(this.home);
    await firstRun(this.pairOptions(), (home) => {
      rmSync(this.home, { recursive: true, force: true });
      copyHome(home, this.home);
    });
  }

  /** Reads one place, unless an earlier run did. @returns what a person sees there */
  private async place(steps: Steps): Promise<Seen | undefined> {
    const { end, say, application } = this.options;
    if (performance.now() >= end) return undefined;
    const kept = this.recorded.find((place) => placeName(place.steps) === placeName(steps));
    if (kept !== undefined) return kept.shown;
    const where = steps.map(({ role, name }) => `${role} ${JSON.stringify(name)}`).join(', ');
    let side: Side | undefined;
    try {
      side = await startApplication(this.pairOptions(), steps);
      const shown = await walk(side);
      const look = await lookAt(side);
      const found = compare(look);
      this.records.add({ steps, shown, look });
      say(
        `${application.name} ${where}: ${found.lost.length} of ${found.seen} lost, ${found.ghosts.length} of ${found.listed} ghosts`,
      );
      return shown;
    } catch (error) {
      const failed = error instanceof Error ? error.message : String(error);
      say(`${application.name} ${where}: ${failed}`);
      this.records.add({ steps, failed });
      return undefined;
    } finally {
      await side?.end();
    }
  }

  private pairOptions(): PairOptions {
    const { application, instrument, program } = this.options;
    return { application, actor: reader(program), home: this.home, instrument };
  }
}

/** Reads with libatspi before and after our program: what differs between the two cannot be judged. */
async function lookAt(side: Side): Promise<Look> {
  await side.untilStill(STILL_MS, MOST_MS);
  const before = await walkEverything(side);
  const frame = { ...side.frame() };
  const listing = await list(side, before);
  return { before, frame, listing, after: await walkEverything(side) };
}

/** Our program in the side; it only reads. */
function reader(program: string): Actor {
  return {
    name: 'reader',
    tools: { program },
    prepare: () => Promise.resolve({ excluded: 'it only reads' }),
  };
}

function placeName(steps: Steps): string {
  return steps.map(keyText).join(' → ');
}
