import { join } from 'node:path';
import { FIXTURE_KINDS } from '../../fixtures/driver.ts';
import { worksOnWayland } from '../../tests/linux/wayland/stage.ts';
import { ROOT } from '../../tests/program-copy.ts';
import { buildMark } from './build-mark.ts';
import { ADVERSARIES } from './reliability/adversaries.ts';
import { CELL_RACES } from './reliability/cell-races.ts';
import { COMMANDS } from './reliability/commands.ts';
import { isOfKills, killedWhileHolding } from './reliability/killed.ts';
import { partsOf, type Parts } from './reliability/parts.ts';
import { KEY_RACES } from './reliability/key-races.ts';
import { MOVING_RACES } from './reliability/moving-races.ts';
import { RACES } from './reliability/races.ts';
import { disorder, onBench, series, type Series } from './reliability/series.ts';
import { CLICKS, recordedRow, totalOf, type Promised, type ReliabilityRow } from './reliability/tally.ts';
import { TARGET_RACES } from './reliability/target-races.ts';
import { isMain, sharesOf, TOOLKITS, WAVES, WITH_WIDGETS, type Toolkit } from './reliability/toolkits.ts';
import type { Trial } from './reliability/trial.ts';
import type { StageKind } from './stage.ts';
import { mergeByName, seededRandom, type ProofOptions, type ProofRow } from './row.ts';

const SEED = 20_261_123;
/** At each race, at each command alone, and at references and locators while the window changes. */
const ATTEMPTS = { race: 45, command: 20, disorder: 240 };
const DISORDER = 'refs and locators while the window changes';
const KILLS = 20;
/** Attempts while the window changes, for each at another row, in a shortened run. */
const DISORDER_SHARE = 8;
const MINUTES = 10;
/** Copies of each fixture that share its rows: an attempt mostly waits. */
const LANES = 2;

/** Other displays than X11. */
export const displays = ['wayland'] as const;

/** What is counted on one kind of display. */
interface Size {
  readonly attempts: { readonly race: number; readonly command: number; readonly disorder: number };
  /** At clicks by the pointer. */
  readonly clicks: number;
  readonly lanes: number;
  readonly promised: Promised;
}

const X11: Size = {
  attempts: ATTEMPTS,
  clicks: ATTEMPTS.command,
  lanes: LANES,
  promised: { attempts: 10_000 },
};
/** Of toolkits of which an application takes a whole core to start. */
const FURTHER: Size = {
  attempts: { race: 20, command: 10, disorder: 80 },
  clicks: 10,
  lanes: 1,
  promised: X11.promised,
};
/** Without graphics hardware, a compositor costs much more than an X server. */
const WAYLAND: Size = {
  attempts: { race: 10, command: 10, disorder: 80 },
  clicks: 250,
  lanes: 1,
  promised: { attempts: 2000, landed: 0.995 },
};
const CLICKS_PER_ROUND = 125;

function sizeOn(display: string | undefined, kind?: Toolkit): Size {
  if (display !== undefined) return WAYLAND;
  return kind === undefined || isMain(kind) ? X11 : FURTHER;
}

/**
 * How often each command does what it reports in each toolkit, judged by the applications' own records. Ends when its time is up; `resume` goes on
 * with the rows that were begun with the same sources. `only` names toolkits, `kills`, or words in the names of rows.
 */
export async function prove(options: ProofOptions): Promise<ProofRow[]> {
  const { say, repeats, minutes = MINUTES, commit, display } = options;
  const end = performance.now() + minutes * 60_000;
  const parts = partsOf(options.only);
  const build = buildMark(...PROVED.map((folder) => join(ROOT, folder)));
  const earlier = earlierRows(options, build);
  const stageKind = display === undefined ? 'x11' : 'wayland';
  const waves = WAVES.map((wave) =>
    wave
      .filter((kind) => parts.kinds.includes(kind))
      .filter((kind) => stageKind === 'x11' || (isMain(kind) && worksOnWayland(kind)))
      .flatMap((kind) => {
        const size = sizeOn(display, kind);
        return lanesOf(chosenSeries(kind, parts, { repeats, earlier, size }), size.lanes).map((lane) => ({
          kind,
          lane,
        }));
      }),
  );
  // What is held down, an X server tells anybody; on Wayland the tests of its devices ask the application.
  const kills =
    parts.hasKills && stageKind === 'x11'
      ? killsIn({ ...options, repeats: Math.min(repeats ?? KILLS, KILLS) }, earlier, end)
      : [];
  const [onBenches, killed] = await Promise.all([inWaves(waves, { end, display: stageKind, say }), kills]);
  const rows = [...onBenches.flat(), ...killed];
  return rows.map((row) => ({ ...row, at: commit, build }));
}

interface Lane {
  readonly kind: Toolkit;
  readonly lane: readonly Series[];
}

/** One wave after the other, each with its share of the time that is left. */
async function inWaves(
  waves: readonly (readonly Lane[])[],
  {
    end,
    display,
    say,
  }: { readonly end: number; readonly display: StageKind; readonly say: ProofOptions['say'] },
): Promise<ProofRow[][]> {
  const rows: ProofRow[][] = [];
  for (const [index, wave] of waves.entries()) {
    const now = performance.now();
    const [share = 0] = sharesOf(end - now, waves.slice(index).map(longestOf));
    const ran = wave.map(({ kind, lane }) => onBench({ kind, display }, now + share, lane, say));
    rows.push(...(await Promise.all(ran)));
  }
  return rows;
}

/** The attempts that its longest lane has left. */
function longestOf(wave: readonly Lane[]): number {
  const left = wave.map(({ lane }) =>
    lane.reduce((sum, { attempts, tally }) => sum + Math.max(0, attempts - tally.attempts), 0),
  );
  return Math.max(0, ...left);
}

/** Rows that did not run stay, but for those that this proof no longer has. */
export function merge(earlier: unknown, later: readonly ProofRow[]): ProofRow[] {
  const names = new Set(
    TOOLKITS.flatMap((kind) =>
      chosenSeries(kind, partsOf(), { repeats: undefined, earlier: new Map(), size: X11 }).map(
        ({ name }) => `${kind}: ${name}`,
      ),
    ),
  );
  const isKill = (row: string): boolean => FIXTURE_KINDS.some((kind) => isOfKills(row, kind));
  return mergeByName(earlier, later).filter(({ row }) => names.has(row) || isKill(row));
}

/** All rows together. */
export function total(rows: readonly ProofRow[], display?: string): ProofRow {
  return totalOf(TOTAL, rows, sizeOn(display).promised);
}

const TOTAL = 'all rows';

type Earlier = ReadonlyMap<string, ReliabilityRow>;

/** What is proved, and by what. */
const PROVED = ['src', 'fixtures', 'scripts/proof/reliability'];

/** What the same sources have counted before, if that is to be continued. */
function earlierRows({ resume = false, recorded, repeats }: ProofOptions, build: string): Earlier {
  if (!resume || repeats !== undefined) return new Map();
  const rows = (recorded ?? []).map((row) => recordedRow(row)).filter((row) => row.build === build);
  return new Map(rows.map((row) => [row.row, row]));
}

function chosenSeries(
  kind: Toolkit,
  parts: Parts,
  {
    repeats,
    earlier,
    size,
  }: { readonly repeats: number | undefined; readonly earlier: Earlier; readonly size: Size },
): Series[] {
  const of = (name: string, attempts: number, seed: number): Parameters<typeof series>[1] => ({
    attempts,
    seed,
    earlier: earlier.get(`${kind}: ${name}`),
  });
  const all = (trials: readonly Trial[], attempts: number): Series[] =>
    trials
      .filter(({ command, kinds = WITH_WIDGETS }) => kinds.includes(kind) && parts.isChosen(command))
      .map((trial) =>
        trial.command === CLICKS && repeats === undefined && size.clicks > attempts
          ? series(trial, { ...of(trial.command, size.clicks, SEED), perRound: CLICKS_PER_ROUND })
          : series(trial, of(trial.command, repeats ?? attempts, SEED)),
      );
  const disorders = repeats === undefined ? size.attempts.disorder : repeats * DISORDER_SHARE;
  return [
    // Not of Swing: Java ended with SIGSEGV in its bridge in three of three runs, for a reason not yet found. Pages and spreadsheets lack the widgets.
    ...(parts.isChosen(DISORDER) && isMain(kind)
      ? [disorder(DISORDER, of(DISORDER, disorders, SEED + 1))]
      : []),
    ...all(COMMANDS, size.attempts.command),
    ...all(CELL_RACES, size.attempts.race),
    ...all([...RACES, ...KEY_RACES, ...TARGET_RACES, ...MOVING_RACES, ...ADVERSARIES], size.attempts.race),
  ];
}

/** The rows in turn to each lane. */
function lanesOf(all: readonly Series[], lanes: number): Series[][] {
  return Array.from({ length: lanes }, (_none, lane) => all.filter((_one, index) => index % lanes === lane));
}

async function killsIn(
  options: ProofOptions & { readonly repeats: number },
  earlier: Earlier,
  end: number,
): Promise<ProofRow[]> {
  const rows: ProofRow[] = [];
  for (const kind of FIXTURE_KINDS) {
    const before = [...earlier.values()].filter(({ row }) => isOfKills(row, kind));
    if (before.length > 0) rows.push(...before);
    else if (performance.now() < end)
      rows.push(...(await killedWhileHolding(kind, { ...options, random: seededRandom(SEED) })));
  }
  return rows;
}
