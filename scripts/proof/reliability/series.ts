import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../../tests/program-copy.ts';
import { seededRandom, type ProofOptions } from '../row.ts';
import type { StageKind } from '../stage.ts';
import { Bench } from './bench.ts';
import { actInDisorder, putBack } from './mutated.ts';
import { Tally, type ReliabilityRow } from './tally.ts';
import type { Toolkit } from './toolkits.ts';
import type { Trial } from './trial.ts';
import type { Judged } from './verdict.ts';

/** Attempts at one row before the next one's turn, so that all rows have about as many when time is up. */
const ROUND = 5;
/** Attempts while the window changes in that time. */
const DISORDER_ROUND = 40;
/** The rows of a toolkit end when its application has ended by itself this often. */
const MOST_ENDS = 5;
const FOLDER = join(ROOT, '.cache/reliability');

/** One row while it is being counted. */
export interface Series {
  readonly name: string;
  /** How many it shall have, with those of earlier runs. */
  readonly attempts: number;
  readonly perRound: number;
  readonly tally: Tally;
  readonly begin: (on: Bench) => Promise<void>;
  readonly attempt: (on: Bench, turn: number) => Promise<Judged>;
  readonly finish: (on: Bench) => Promise<void>;
  readonly mutations?: () => number;
}

export interface SeriesOptions {
  readonly attempts: number;
  readonly seed: number;
  /** What earlier runs counted. */
  readonly earlier: ReliabilityRow | undefined;
  readonly perRound?: number | undefined;
}

export function series(trial: Trial, { attempts, seed, earlier, perRound = ROUND }: SeriesOptions): Series {
  // What was drawn in earlier runs is not drawn again.
  const random = seededRandom(seed + (earlier?.repeats ?? 0));
  const { page } = trial;
  return {
    name: trial.command,
    attempts,
    perRound,
    tally: new Tally(earlier),
    begin: async (on) => {
      if (page) await on.set('tabs', 'selected', page);
      if (trial.command.includes('background')) await on.activate('Cover');
    },
    attempt: async (on, turn) => on.attempt(await trial.attempt(on, random, turn)),
    finish: async (on) => {
      if (page) await on.set('tabs', 'selected', 'General');
    },
  };
}

export function disorder(name: string, { attempts, seed, earlier }: SeriesOptions): Series {
  const random = seededRandom(seed + (earlier?.repeats ?? 0));
  let mutations = earlier?.mutations ?? 0;
  return {
    name,
    attempts,
    perRound: DISORDER_ROUND,
    tally: new Tally(earlier),
    begin: async () => undefined,
    attempt: async (on) => {
      const done = await actInDisorder(on, random);
      mutations += done.mutations;
      return done.judged;
    },
    finish: (on) => putBack(on),
    mutations: () => mutations,
  };
}

/** Runs all series on the fixture of one toolkit, in turn, until all are complete or time is up. */
export async function onBench(
  { kind, display }: { readonly kind: Toolkit; readonly display: StageKind },
  end: number,
  all: readonly Series[],
  say: ProofOptions['say'],
): Promise<ReliabilityRow[]> {
  const isOpen = ({ tally, attempts }: Series): boolean =>
    tally.attempts < attempts && performance.now() < end;
  if (all.some(isOpen)) {
    let on = await Bench.open(kind, display);
    let ends = 0;
    try {
      while (all.some(isOpen) && ends < MOST_ENDS)
        for (const one of all) {
          if (!isOpen(one)) continue;
          await playRound(on, one, say);
          if (on.isAlive()) continue;
          say(`${kind}: the application has ended during "${one.name}"`);
          ends++;
          if (ends === MOST_ENDS) break;
          await on.close();
          on = await Bench.open(kind, display);
        }
    } finally {
      await on.close();
    }
  }
  return all.filter(({ tally }) => tally.attempts > 0).map((one) => rowOf(kind, one));
}

function rowOf(kind: Toolkit, { tally, name, mutations }: Series): ReliabilityRow {
  return {
    ...tally.row(`${kind}: ${name}`),
    ...(mutations === undefined ? {} : { mutations: mutations() }),
  };
}

async function playRound(on: Bench, one: Series, say: ProofOptions['say']): Promise<void> {
  const { tally } = one;
  const last = Math.min(one.attempts, tally.attempts + one.perRound);
  const title = `${on.kind}: ${one.name}`;
  await one.begin(on);
  while (tally.attempts < last && on.isAlive()) {
    const turn = tally.attempts;
    const result = await judged(() => one.attempt(on, turn));
    tally.add(result);
    record({ row: title, turn, ...result });
  }
  if (on.isAlive()) await one.finish(on);
  const { row, counts, refusal, failures = [] } = tally.row(title);
  say(`${row}: ${JSON.stringify(counts)}`);
  for (const line of [refusal, ...failures.slice(0, 2)]) if (line !== undefined) say(`  ${line}`);
}

/** Each attempt of the last runs, for whoever looks into a row. */
function record(attempt: Judged & { readonly row: string; readonly turn: number }): void {
  mkdirSync(FOLDER, { recursive: true });
  appendFileSync(join(FOLDER, 'attempts.jsonl'), `${JSON.stringify(attempt)}\n`);
}

async function judged(attempt: () => Promise<Judged>): Promise<Judged> {
  return attempt().catch((error: unknown) => ({
    verdict: 'not judged' as const,
    detail: error instanceof Error ? error.message : String(error),
    answer: 'none',
  }));
}
