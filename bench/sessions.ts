/**
 * What more sessions cost: the time of a call with twenty sessions compared with one, their memory in the daemon, and idle private desktops.
 *
 * One session and twenty have a daemon each, on the same desktop with the same window, and are called alternately, so that other load on the machine
 * affects both. Calls use a lasting connection, without a process for each, so that only the daemon is measured.
 */
import { startFixture } from '../fixtures/driver.ts';
import { restingDesktops } from './support/resting-desktops.ts';
import { median, percentile, rounded, type Figure, type Report, type Say } from './support/figures.ts';
import { Program, type Calls, type User } from './support/program.ts';
import { Stage } from './support/stage.ts';
import { WeighedDaemon, type Weight } from './support/weighed-daemon.ts';

const SESSIONS = 20;
/** Enough for the program to be compiled and its caches to be filled. */
const WARM_UP_CALLS = 150;
/** Calls of each additional session before memory is measured. */
const CALLS_EACH = 10;
const TURNS = 15;
const CONCURRENT_CALLS = 15;
const TIME_GOAL = 1.3;
const MEMORY_GOAL_MIB = 3;
const MIB = 1024 * 1024;
const CALLS = { deadlineMs: 20_000 } as const;

const NAMES = Array.from({ length: SESSIONS }, (_, index) => `s${index + 1}`);

export async function run({ say }: { readonly say: Say }): Promise<Report> {
  const stage = await Stage.start(say);
  try {
    say('building');
    return await measure(stage, await Program.build(), say);
  } finally {
    await stage.stop();
  }
}

async function measure(stage: Stage, program: Program, say: Say): Promise<Report> {
  try {
    const { environment } = stage.desktop;
    const fixture = await startFixture('gtk3', { environment, ...CALLS });
    try {
      const [one, many] = [await program.user('one', environment), await program.user('many', environment)];
      const figures: Figure[] = [];
      try {
        figures.push(...(await manyAndOne(one, many, say)));
      } finally {
        await one.stop();
        await many.stop();
      }
      const owner = await program.user('desktops', environment);
      try {
        figures.push(...(await restingDesktops(owner, say)));
      } finally {
        await owner.stop();
      }
      return { name: 'sessions', figures };
    } finally {
      await fixture.stop();
    }
  } finally {
    await program.remove();
  }
}

async function manyAndOne(one: User, many: User, say: Say): Promise<Figure[]> {
  const daemon = await WeighedDaemon.start(many);
  const [single, several] = [await one.connect(), await many.connect()];
  try {
    await one.desk('session', 'new', 's1');
    await many.desk('session', 'new', 's1');
    say('one session');
    for (let call = 0; call < WARM_UP_CALLS; call++) {
      await single.call('s1', 'snapshot');
      await several.call('s1', 'snapshot');
    }
    const first = await daemon.weigh();
    say(`${SESSIONS} sessions`);
    for (const name of NAMES.slice(1)) await many.desk('session', 'new', name);
    for (let call = 0; call < CALLS_EACH; call++)
      for (const name of NAMES.slice(1)) await several.call(name, 'snapshot');
    const all = await daemon.weigh();
    const times = await inTurn(single, several);
    const later = await daemon.weigh();
    say('all at once');
    return [...timeFigures(times), ...(await throughput(one, many)), ...memoryFigures(first, all, later)];
  } finally {
    await single.close();
    await several.close();
  }
}

/** Milliseconds of each call. */
export interface Times {
  readonly one: readonly number[];
  readonly many: readonly number[];
}

async function inTurn(single: Calls, several: Calls): Promise<Times> {
  const one: number[] = [];
  const many: number[] = [];
  for (let turn = 0; turn < TURNS; turn++) {
    for (const name of NAMES) {
      one.push(await timed(() => single.call('s1', 'snapshot')));
      many.push(await timed(() => several.call(name, 'snapshot')));
    }
  }
  return { one, many };
}

async function timed(action: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await action();
  return performance.now() - begin;
}

export function timeFigures({ one, many }: Times): Figure[] {
  const row = (what: string, value: number, baseline: number): Figure => ({
    what: `snapshot over a connection, ${SESSIONS} sessions in turn: ${what}`,
    value: rounded(value),
    unit: 'ms',
    baseline: rounded(baseline),
    ratio: rounded(value / baseline, 2),
    note: 'compared with one session',
  });
  const middle = row('p50', median(many), median(one));
  return [
    { ...middle, goal: `<= ${TIME_GOAL}`, met: (middle.ratio ?? Number.NaN) <= TIME_GOAL },
    row('p95', percentile(many, 0.95), percentile(one, 0.95)),
  ];
}

async function throughput(one: User, many: User): Promise<Figure[]> {
  const alone = await rate(one, ['s1'], CONCURRENT_CALLS * 4);
  const together = await rate(many, NAMES, CONCURRENT_CALLS);
  return [
    {
      what: `snapshots of ${SESSIONS} sessions at once`,
      value: rounded(together.perSecond),
      unit: 'per second',
      baseline: rounded(alone.perSecond),
      ratio: rounded(together.perSecond / alone.perSecond, 2),
      note: `compared with one session, one call after the other; p95 of a call ${rounded(together.p95Ms)} ms`,
    },
  ];
}

/** Every session uses its own connection. */
async function rate(
  user: User,
  names: readonly string[],
  callsEach: number,
): Promise<{ readonly perSecond: number; readonly p95Ms: number }> {
  const connections = await Promise.all(names.map(async (name) => ({ name, calls: await user.connect() })));
  const samples: number[] = [];
  const begin = performance.now();
  await Promise.all(
    connections.map(async ({ name, calls }) => {
      for (let call = 0; call < callsEach; call++)
        samples.push(await timed(() => calls.call(name, 'snapshot')));
    }),
  );
  const seconds = (performance.now() - begin) / 1000;
  await Promise.all(connections.map(({ calls }) => calls.close()));
  return { perSecond: samples.length / seconds, p95Ms: percentile(samples, 0.95) };
}

/** `first`: with one session; `all`: with all of them; `later`: after further calls in each. */
export function memoryFigures(first: Weight, all: Weight, later: Weight): Figure[] {
  const further = SESSIONS - 1;
  const each = (bytes: number) => rounded(bytes / further / MIB, 2);
  const resident = each(all.resident - first.resident);
  return [
    {
      what: `daemon memory of a further session after ${CALLS_EACH} snapshots, garbage collected (RSS)`,
      value: resident,
      unit: 'MiB',
      goal: `<= ${MEMORY_GOAL_MIB}`,
      met: resident <= MEMORY_GOAL_MIB,
      note: `${rounded(first.resident / MIB)} MiB with one, ${rounded(all.resident / MIB)} MiB with ${SESSIONS}`,
    },
    {
      what: 'the same, objects and their buffers only',
      value: each(all.objects - first.objects),
      unit: 'MiB',
      note: `${rounded(first.objects / MIB)} MiB with one, ${rounded(all.objects / MIB)} MiB with ${SESSIONS}`,
    },
    {
      what: `daemon memory of a further session after ${CALLS_EACH + TURNS} snapshots (RSS)`,
      value: each(later.resident - first.resident),
      unit: 'MiB',
      note: `${rounded(later.resident / MIB)} MiB with ${SESSIONS}`,
    },
  ];
}
