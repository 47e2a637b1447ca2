import { FIXTURE_KINDS, type FixtureKind } from '../../fixtures/driver.ts';
import { ADVERSARIES } from './reliability/adversaries.ts';
import { Bench } from './reliability/bench.ts';
import { COMMANDS } from './reliability/commands.ts';
import type { Random } from './reliability/random.ts';
import type { Trial } from './reliability/trial.ts';
import { killedWhileHolding } from './reliability/killed.ts';
import { RACES } from './reliability/races.ts';
import { actInDisorder, putBack } from './reliability/mutated.ts';
import { Tally, type ReliabilityRow } from './reliability/tally.ts';
import type { Judged } from './reliability/verdict.ts';
import { seededRandom, type ProofOptions, type ProofRow } from './row.ts';

const SEED = 20_261_123;
const ATTEMPTS = 100;
const DISORDERS = 1000;
const KILLS = 20;
/** Attempts at one row before the next one's turn, so that all rows have about as many when time is up. */
const ROUND = 5;
/** Attempts while the window changes, for each attempt at another row on that desktop. */
const DISORDER_SHARE = 8;
const MINUTES = 25;

/** How often each command does what it reports in each toolkit, judged by the applications' own records. Ends when its time is up. */
export async function prove({ say, repeats, minutes = MINUTES }: ProofOptions): Promise<ProofRow[]> {
  const end = performance.now() + minutes * 60_000;
  const attempts = repeats ?? ATTEMPTS;
  const parts = FIXTURE_KINDS.map((kind) =>
    onBench(
      kind,
      end,
      [
        disorder(repeats === undefined ? DISORDERS : repeats * DISORDER_SHARE),
        ...[...RACES, ...ADVERSARIES, ...COMMANDS].map((trial) => series(trial, attempts)),
      ],
      say,
    ),
  );
  const kills = killsIn(FIXTURE_KINDS, { say, repeats: Math.min(attempts, KILLS) });
  return (await Promise.all([...parts, kills])).flat();
}

/** One row while it is being counted. */
interface Series {
  readonly name: string;
  readonly attempts: number;
  readonly perRound: number;
  readonly tally: Tally;
  readonly begin: (on: Bench) => Promise<void>;
  readonly attempt: (on: Bench, turn: number) => Promise<Judged>;
  readonly finish: (on: Bench) => Promise<void>;
  readonly mutations?: () => number;
}

function series(trial: Trial, attempts: number): Series {
  const random = seededRandom(SEED);
  const { page } = trial;
  return {
    name: trial.command,
    attempts,
    perRound: ROUND,
    tally: new Tally(),
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

function disorder(attempts: number): Series {
  const random: Random = seededRandom(SEED + 1);
  let mutations = 0;
  return {
    name: 'refs and locators while the window changes',
    attempts,
    perRound: ROUND * DISORDER_SHARE,
    tally: new Tally(),
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

async function onBench(
  kind: FixtureKind,
  end: number,
  all: readonly Series[],
  say: ProofOptions['say'],
): Promise<ReliabilityRow[]> {
  const on = await Bench.open(kind);
  try {
    const most = Math.max(...all.map(({ attempts, perRound }) => Math.ceil(attempts / perRound)));
    for (let round = 0; round < most && performance.now() < end; round++)
      for (const one of all) if (performance.now() < end) await playRound(on, one, round, say);
    return all.map((one) => ({
      ...one.tally.row(`${kind}: ${one.name}`),
      ...(one.mutations === undefined ? {} : { mutations: one.mutations() }),
    }));
  } finally {
    await on.close();
  }
}

async function playRound(on: Bench, one: Series, round: number, say: ProofOptions['say']): Promise<void> {
  const first = round * one.perRound;
  const last = Math.min(one.attempts, first + one.perRound);
  if (first >= last) return;
  await one.begin(on);
  for (let turn = first; turn < last; turn++) one.tally.add(await judged(() => one.attempt(on, turn)));
  await one.finish(on);
  const { row, counts, refusal, failures = [] } = one.tally.row(`${on.kind}: ${one.name}`);
  say(`${row}: ${JSON.stringify(counts)}`);
  for (const line of [refusal, ...failures.slice(0, 2)]) if (line !== undefined) say(`  ${line}`);
}

async function judged(attempt: () => Promise<Judged>): Promise<Judged> {
  return attempt().catch((error: unknown) => ({
    verdict: 'not judged' as const,
    detail: error instanceof Error ? error.message : String(error),
    answer: 'none',
  }));
}

async function killsIn(
  kinds: readonly FixtureKind[],
  options: ProofOptions & { readonly repeats: number },
): Promise<ProofRow[]> {
  const rows: ProofRow[] = [];
  for (const kind of kinds)
    rows.push(...(await killedWhileHolding(kind, { ...options, random: seededRandom(SEED) })));
  return rows;
}
