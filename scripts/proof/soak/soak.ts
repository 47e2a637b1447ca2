import { expectCode } from '../../../tests/e2e/support/kill-round.ts';
import type { World } from '../../../tests/e2e/support/kill-world.ts';
import { endWorld } from '../private-world.ts';
import type { Random } from '../reliability/random.ts';
import type { ProofRow } from '../row.ts';
import { BOUNDS, courseOf, type Sample } from './judge.ts';
import { Lane } from './lane.ts';
import { takeSample, warnings } from './measure.ts';
import { plantOldRecords } from './old-records.ts';

const SESSIONS = 4;
const KEPT_FAILURES = 5;
/** As many lives in each session before the first measurement: whatever is loaded once has been, and each watches as many applications as it ever does. */
const WARM_UP_LIVES = 8;
const FEWEST_SAMPLES = 3;

export interface SoakOptions {
  readonly say: (text: string) => void;
  readonly durationMs: number;
  /** Time between two measurements. */
  readonly everyMs: number;
  readonly random: Random;
  /** Where the daemon's gauge writes. */
  readonly gaugeFolder: string;
}

export interface SoakRow extends ProofRow {
  readonly first?: number;
  readonly last?: number;
  readonly most?: number;
}

/** The lives of applications in one run. */
interface Lives {
  done: number;
  failed: number;
  readonly failures: string[];
}

/** Lets applications come and go in four sessions, and measures at intervals, when nothing is going on. One row per quantity. */
export async function soak(world: World, options: SoakOptions): Promise<SoakRow[]> {
  const { say, everyMs, durationMs, random, gaugeFolder } = options;
  const remaining = await plantOldRecords(world);
  const lanes = Array.from({ length: SESSIONS }, (_none, index) => new Lane(world, index, random));
  for (const lane of lanes) await lane.open();
  const lives: Lives = { done: 0, failed: 0, failures: [] };
  for (let life = 0; life < WARM_UP_LIVES; life++) await Promise.all(lanes.map((lane) => live(lane, lives)));
  const daemon = world.recordedDaemon();
  if (daemon === undefined) throw new Error('no daemon');
  const samples: Sample[] = [];
  const sample = async (): Promise<void> => {
    const taken = await takeSample(world, { daemon, gaugeFolder });
    samples.push(taken);
    say(`${lives.done} lives, ${lives.failed} failed: ${JSON.stringify(taken)}`);
    for (const failure of lives.failures) say(`  ${failure}`);
  };
  await sample();
  const end = performance.now() + durationMs;
  while (performance.now() < end || samples.length < FEWEST_SAMPLES) {
    const until = Math.min(end, performance.now() + everyMs);
    await Promise.all(
      lanes.map(async (lane) => {
        do await live(lane, lives);
        while (performance.now() < until);
      }),
    );
    await sample();
  }
  const sameDaemon = world.recordedDaemon() === daemon;
  const [kept, warned] = [remaining(), warnings(world)];
  for (const lane of lanes) expectCode(await world.desk('session', 'kill', lane.session), 0);
  const left = await endWorld(world);
  return [
    livesRow(lives),
    ...BOUNDS.map((bound) => grownRow(bound, samples)),
    listRow('outputs and logs that are too old are removed', kept),
    listRow('the daemon reports no faults and no leaked listeners', warned),
    listRow('the same daemon served everything', sameDaemon ? [] : ['another daemon runs now']),
    listRow('nothing is left behind after the end', left),
  ];
}

async function live(lane: Lane, lives: Lives): Promise<void> {
  try {
    await lane.live();
  } catch (error) {
    lives.failed += 1;
    const message = error instanceof Error ? error.message : String(error);
    if (lives.failures.length < KEPT_FAILURES)
      lives.failures.push(`${lane.session}: ${message}`.slice(0, 600));
  }
  lives.done += 1;
}

function livesRow({ done, failed, failures }: Lives): SoakRow {
  const row = 'lives of applications: started, worked, closed or killed';
  return { row, repeats: done, passes: done - failed, ...(failures.length === 0 ? {} : { failures }) };
}

function grownRow(bound: (typeof BOUNDS)[number], samples: readonly Sample[]): SoakRow {
  const { first, last, most, problem } = courseOf(bound, samples);
  return {
    row: bound.row,
    repeats: samples.length,
    passes: problem === undefined ? samples.length : 0,
    first,
    last,
    most,
    ...(problem === undefined ? {} : { failures: [problem] }),
  };
}

function listRow(row: string, problems: readonly string[]): SoakRow {
  const passes = problems.length === 0 ? 1 : 0;
  const failures = problems.slice(0, KEPT_FAILURES);
  return { row, repeats: 1, passes, ...(passes === 1 ? {} : { failures }) };
}
