import { appendFileSync, mkdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { builtProgram } from '../../tests/e2e/support/build.ts';
import { ROOT } from '../../tests/program-copy.ts';
import { playRound, roundOf, type Played, type Round } from './chaos/round.ts';
import { ChaosTally } from './chaos/tally.ts';
import { blowsOn, type Blow, type ChaosDisplay } from './chaos/victims.ts';
import { mergeByName, seededRandom, type ProofOptions, type ProofRow } from './row.ts';

const SEED = 20_261_129;
const ROUNDS = 40;
/** Rounds that are played at the same time: most of one is waiting. */
const LANES = 3;
const FOLDER = join(ROOT, '.cache/chaos');

/** Other displays than X11. */
export const displays = ['wayland'] as const;

/**
 * Every process behind a desktop, killed or frozen while commands run: each answer is true or a typed error and comes in time, the next call recovers or
 * says what is gone, and nothing is left behind. One row for each victim and way; on Wayland also for a screen that changes and a session that is locked. `only` has words in their names; `resume` goes on with the rows
 * that this revision has begun.
 */
export async function prove(options: ProofOptions): Promise<ProofRow[]> {
  const { say, repeats = ROUNDS, minutes, only = [], seed = SEED, commit } = options;
  const display: ChaosDisplay = options.display === 'wayland' ? 'wayland' : 'x11';
  const end = minutes === undefined ? Number.POSITIVE_INFINITY : performance.now() + minutes * 60_000;
  const { folder, entry } = await builtProgram();
  const tallies = blowsOn(display)
    .filter(({ row }) => only.length === 0 || only.some((word) => row.includes(word)))
    .map((blow) => ({ blow, tally: new ChaosTally(blow.row, earlierRow(blow.row, options)) }));
  const random = seededRandom(seed + tallies.reduce((sum, { tally }) => sum + tally.rounds, 0));
  // Rows take turns, so that all have about as many rounds when time is up.
  const due = Array.from({ length: repeats }, (_none, turn) =>
    tallies.filter(({ tally }) => tally.rounds <= turn),
  ).flat();
  const lane = async (): Promise<void> => {
    for (;;) {
      const next = performance.now() < end ? due.shift() : undefined;
      if (next === undefined) return;
      const round = roundOf(display, next.blow, random);
      const played = await playRound(entry, round, random);
      next.tally.add(played);
      record(round, played);
      say(`${next.blow.row}: ${JSON.stringify(played.counts)}`);
      for (const problem of played.problems) say(`  ${problem}`);
    }
  };
  try {
    await Promise.all(Array.from({ length: LANES }, lane));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return tallies
    .filter(({ tally }) => tally.rounds > 0)
    .map(({ tally }) => ({ ...tally.result(), at: commit }));
}

export function merge(earlier: unknown, later: readonly ProofRow[]): ProofRow[] {
  const known = [...blowsOn('x11'), ...blowsOn('wayland')];
  return mergeByName(earlier, later).filter(({ row }) => known.some((blow: Blow) => blow.row === row));
}

/** What the same revision has counted before, if that is to be continued. */
function earlierRow(row: string, { resume = false, recorded = [], commit, repeats }: ProofOptions): unknown {
  if (!resume || repeats !== undefined) return undefined;
  return recorded.find((each) => isRow(each) && each.row === row && each.at === commit);
}

function isRow(value: unknown): value is { row: unknown; at: unknown } {
  return typeof value === 'object' && value !== null && 'row' in value && 'at' in value;
}

/** Each round of the last runs, for whoever looks into a row. */
function record(round: Round, played: Played): void {
  mkdirSync(FOLDER, { recursive: true });
  appendFileSync(join(FOLDER, 'rounds.jsonl'), `${JSON.stringify({ ...round, ...played })}\n`);
}
