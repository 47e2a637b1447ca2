/**
 * What a command line costs before and after the work itself: processor time of a thin call compared with an empty Node in the same run, sizes of the
 * bundles, the first call with no daemon, and a snapshot with and without one. `NODE_EXTRA_CA_CERTS` and `NODE_OPTIONS` are unset.
 */
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { startFixture } from '../fixtures/driver.ts';
import { childCosts, type ChildCost } from './support/child-cost.ts';
import { median, rounded, type Figure, type Report, type Say } from './support/figures.ts';
import { Program, type User } from './support/program.ts';
import { Stage } from './support/stage.ts';

const THIN_ROUNDS = 40;
const SNAPSHOT_ROUNDS = 15;
const COLD_ROUNDS = 7;
const RATIO_GOAL = 1.7;
const CALLS = { deadlineMs: 20_000 } as const;

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
    const user = await program.user('startup', environment);
    try {
      say('thin calls');
      const figures = await thinCalls(user);
      say('first calls');
      figures.push(...(await firstCalls(user)));
      say('snapshots');
      figures.push(...(await snapshots(user)));
      figures.push(...(await bundleSizes(path.dirname(program.entry))));
      return { name: 'startup', figures };
    } finally {
      await user.stop();
      await fixture.stop();
    }
  } finally {
    await program.remove();
  }
}

async function thinCalls(user: User): Promise<Figure[]> {
  const names = ['version', 'list-windows'];
  // The daemon is running and has its connections to the desktop.
  for (const name of names) await user.desk(name);
  const commands = names.map((name) => deskCommand(user, name));
  const costs = await childCosts([[process.execPath, '-e', '0'], ...commands], THIN_ROUNDS, user.environment);
  return thinFigures(names, costs);
}

/** Figures of thin calls; the first cost is that of an empty Node. */
export function thinFigures(names: readonly string[], costs: readonly ChildCost[]): Figure[] {
  const [empty, ...ours] = costs;
  if (empty === undefined) return [];
  return names.flatMap((name, index): Figure[] => {
    const cost = ours[index];
    if (cost === undefined) return [];
    const ratio = rounded(cost.cpuMs / empty.cpuMs, 2);
    return [
      {
        what: `desk ${name}, warm daemon: CPU, least of ${cost.wallMs.length}`,
        value: rounded(cost.cpuMs),
        unit: 'ms',
        baseline: rounded(empty.cpuMs),
        ratio,
        goal: `<= ${RATIO_GOAL}`,
        met: ratio <= RATIO_GOAL,
        note: `compared with node -e 0; by medians ${rounded(cost.cpuMedianMs / empty.cpuMedianMs, 2)}`,
      },
      wallFigure(`desk ${name}, warm daemon: wall, p50`, cost, empty, 'compared with node -e 0'),
    ];
  });
}

function wallFigure(what: string, ours: ChildCost, theirs: ChildCost, note: string): Figure {
  const [value, baseline] = [median(ours.wallMs), median(theirs.wallMs)];
  return {
    what,
    value: rounded(value),
    unit: 'ms',
    baseline: rounded(baseline),
    ratio: rounded(value / baseline, 2),
    note,
  };
}

async function firstCalls(user: User): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const name of ['version', 'list-windows']) {
    const cold: ChildCost[] = [];
    const alone: ChildCost[] = [];
    for (let round = 0; round < COLD_ROUNDS; round++) {
      await user.stop();
      const commands = [deskCommand(user, name), deskCommand(user, name, '--no-daemon')];
      const [first, second] = await childCosts(commands, 1, user.environment);
      if (first !== undefined) cold.push(first);
      if (second !== undefined) alone.push(second);
    }
    figures.push(
      wallFigure(
        `desk ${name}, no daemon yet: wall, p50`,
        together(cold),
        together(alone),
        'compared with the same call with --no-daemon',
      ),
    );
  }
  return figures;
}

function together(costs: readonly ChildCost[]): ChildCost {
  return {
    cpuMs: Math.min(...costs.map(({ cpuMs }) => cpuMs)),
    cpuMedianMs: median(costs.map(({ cpuMedianMs }) => cpuMedianMs)),
    wallMs: costs.flatMap(({ wallMs }) => wallMs),
  };
}

async function snapshots(user: User): Promise<Figure[]> {
  await user.desk('snapshot');
  const commands = [deskCommand(user, 'snapshot'), deskCommand(user, 'snapshot', '--no-daemon')];
  const [warm, alone] = await childCosts(commands, SNAPSHOT_ROUNDS, user.environment);
  if (warm === undefined || alone === undefined) return [];
  const note = 'compared with the same call with --no-daemon';
  return [
    wallFigure('desk snapshot, warm daemon: wall, p50', warm, alone, note),
    {
      what: 'desk snapshot, warm daemon: CPU of the caller',
      value: rounded(warm.cpuMs),
      unit: 'ms',
      baseline: rounded(alone.cpuMs),
      ratio: rounded(warm.cpuMs / alone.cpuMs, 2),
      note,
    },
  ];
}

function deskCommand(user: User, ...args: string[]): string[] {
  return [process.execPath, user.program.entry, ...args];
}

/** Every file that Node may read, with all chunks as one. */
async function bundleSizes(dist: string): Promise<Figure[]> {
  const names = (await readdir(dist)).filter((name) => /\.c?js$/.test(name));
  const chunks = (await readdir(path.join(dist, 'chunks'))).map((name) => path.join('chunks', name));
  const size = async (files: readonly string[]) => {
    const facts = await Promise.all(files.map((file) => stat(path.join(dist, file))));
    return rounded(facts.reduce((sum, each) => sum + each.size, 0) / 1024);
  };
  const figures = names.map(async (name) => ({
    what: `size of ${name}`,
    value: await size([name]),
    unit: 'KiB',
  }));
  return Promise.all([
    ...figures,
    size(chunks).then((value) => ({
      what: `size of the ${chunks.length} chunks that host, daemon and library share`,
      value,
      unit: 'KiB',
    })),
  ]);
}
