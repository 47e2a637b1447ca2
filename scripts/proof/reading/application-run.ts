import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { keyText } from '../twins/act/widgets.ts';
import type { Actor } from '../twins/act/actor.ts';
import { clickOn } from '../twins/act/mouse.ts';
import type { Application } from '../twins/applications.ts';
import { walk, walkEverything } from '../twins/look/look.ts';
import type { Seen } from '../twins/look/tree.ts';
import { firstRun, startApplication, type PairOptions } from '../twins/run/pair.ts';
import { copyHome, createHome } from '../twins/side/home.ts';
import type { Side } from '../twins/side/side.ts';
import { areasIn } from './areas.ts';
import { compare, type Look } from './compare.ts';
import { list } from './listed.ts';
import { lengthen } from './long-home.ts';
import { dialogFrom, otherPages, placesFrom, type Steps } from './places.ts';
import { Records, type Place } from './records.ts';
import { scroll } from './scroll.ts';

const STILL_MS = 400;
const MOST_MS = 4000;
/** Pages of one notebook that are read. */
const MOST_PAGES = 6;

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
  /** What is on record, by name of the place. */
  private readonly earlier = new Map<string, { readonly shown: Seen | undefined }>();

  /** Pages and areas that were read, wherever. */
  private readonly done = new Set<string>();

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
    for (const place of this.recorded) this.earlier.set(placeName(place), { shown: place.shown });
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
    lengthen(this.home);
    await firstRun(this.pairOptions(), (home) => {
      rmSync(this.home, { recursive: true, force: true });
      copyHome(home, this.home);
    });
  }

  /** Reads one place and what is further on there, unless an earlier run did. @returns what a person sees there */
  private async place(steps: Steps): Promise<Seen | undefined> {
    const { end } = this.options;
    if (performance.now() >= end) return undefined;
    const kept = this.earlier.get(placeName({ steps }));
    if (kept !== undefined) return kept.shown;
    let side: Side | undefined;
    try {
      side = await startApplication(this.pairOptions(), steps);
      const shown = await walk(side);
      const look = await lookAt(side);
      const first: Place = { steps, shown, look };
      const further = await this.furtherFrom(side, first);
      // A place that the time did not suffice for is read again by the next run.
      if (performance.now() < end) for (const place of [first, ...further]) this.keep(place);
      return shown;
    } catch (error) {
      this.keep({ steps, failed: wordsOf(error) });
      return undefined;
    } finally {
      await side?.end();
    }
  }

  /** What the wheel shows, and the other pages with what the wheel shows on them. */
  private async furtherFrom(side: Side, { steps, shown, look }: Place): Promise<Place[]> {
    if (shown === undefined || look === undefined) return [];
    const further = [...(await this.scrolledFrom(side, steps, look))];
    for (const tab of otherPages(shown).slice(0, MOST_PAGES)) {
      const onPage = [...steps, tab];
      if (performance.now() >= this.options.end || this.isDone(`page ${keyText(tab)}`)) continue;
      try {
        await clickOn(side, await walk(side), tab);
        await side.untilStill(STILL_MS, MOST_MS);
        const page = await walk(side);
        const read = await lookAt(side);
        further.push({ steps: onPage, shown: page, look: read });
        further.push(...(await this.scrolledFrom(side, onPage, read)));
      } catch (error) {
        further.push({ steps: onPage, failed: wordsOf(error) });
      }
    }
    return further;
  }

  private async scrolledFrom(side: Side, steps: Steps, look: Look): Promise<Place[]> {
    const found: Place[] = [];
    const last = steps.at(-1);
    const page = last?.role === 'page tab' ? keyText(last) : '';
    const areas = areasIn(look.before, look.frame).filter(
      ({ key }) => !this.isDone(`area ${keyText(key)} ${page}`),
    );
    try {
      for await (const scrolled of scroll(side, areas, this.options.end))
        found.push({ steps, scrolled, look: await lookAt(side) });
    } catch (error) {
      found.push({ steps, failed: `after a turn of the wheel: ${wordsOf(error)}` });
    }
    return found;
  }

  /** Whether something was done before: a page that also shows behind a menu need not be read once more. */
  private isDone(what: string): boolean {
    const { size } = this.done;
    return this.done.add(what).size === size;
  }

  private keep(place: Place): void {
    const { say, application } = this.options;
    const { steps, scrolled, failed, shown, look } = place;
    const where = steps.map(({ role, name }) => `${role} ${JSON.stringify(name)}`).join(', ');
    const further = scrolled && ` (${scrolled.area.role} scrolled to ${scrolled.to})`;
    const found = look && compare(look);
    const words = found
      ? `${found.lost.length} of ${found.seen} lost, ${found.ghosts.length} of ${found.listed} ghosts`
      : failed;
    say(`${application.name} ${where}${further ?? ''}: ${words}`);
    this.records.add(place);
    if (!this.earlier.has(placeName(place))) this.earlier.set(placeName(place), { shown });
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

function placeName({ steps, scrolled }: Pick<Place, 'steps' | 'scrolled'>): string {
  const path = steps.map(keyText).join(' → ');
  return scrolled === undefined ? path : `${path} ⇣ ${keyText(scrolled.area)} to ${scrolled.to}`;
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
