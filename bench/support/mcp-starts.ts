import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import type * as Build from '../../scripts/build.mjs';
import { childCosts, type AskedServer, type ChildCost } from './child-cost.ts';
import { bestMedian, median, percentile, rounded, type Figure, type Say } from './figures.ts';
import { GREETINGS, INITIALIZED, requestText } from './mcp-asker.ts';
import { processes, ticksPerSecond } from './processes.ts';
import type { Program, User } from './program.ts';

/** Runs of consecutive rounds; the smallest of their medians is judged. */
const RUNS = 5;
const WARM_ROUNDS = RUNS * 9;
const COLD_ROUNDS = RUNS * 5;
const RATIO_GOAL = 2;

const { method, params } = GREETINGS.legacy;
const GREETING = `${requestText('legacy', 1, method, params)}\n${INITIALIZED}\n`;

/** How long a client waits for the answer to its first request, with and without a running daemon, and what that costs. */
export async function startFigures(user: User, say: Say): Promise<Figure[]> {
  const desk = [process.execPath, user.program.entry, 'mcp'];
  const alone = greeted([process.execPath, await buildAlone(user.program)]);
  const commands = [[process.execPath, '-e', '0'], greeted(desk), alone];
  say('warm starts');
  await childCosts(commands, 3, user.environment);
  const [empty, warm, bare] = await childCosts(commands, WARM_ROUNDS, user.environment);
  say('cold starts');
  const cold = await coldCosts(user, [greeted(desk), greeted([...desk, '--no-daemon']), alone]);
  const [first, inProcess, bareThen] = cold.costs;
  if (!empty || !warm || !bare || !first || !inProcess || !bareThen) return [];
  return [
    wallFigure('desk mcp, warm daemon', warm, { name: 'node -e 0', cost: empty, goal: RATIO_GOAL }),
    cpuFigure('desk mcp, warm daemon', warm, { name: 'node -e 0', cost: empty }),
    wallFigure('the bundled library alone', bare, { name: 'node -e 0', cost: empty }),
    wallFigure('desk mcp, no daemon yet', first, { ...ALONE, cost: bareThen, goal: RATIO_GOAL }),
    cpuFigure('desk mcp, no daemon yet', first, { ...ALONE, cost: bareThen }),
    {
      what: 'desk mcp, no daemon yet: CPU of the daemon until its client has gone, p50',
      value: rounded(median(cold.daemonCpuMs)),
      unit: 'ms',
      baseline: rounded(bareThen.cpuMedianMs),
      ratio: rounded(median(cold.daemonCpuMs) / bareThen.cpuMedianMs, 2),
      note: `compared with ${ALONE.name}`,
    },
    wallFigure('desk mcp --no-daemon', inProcess, { ...ALONE, cost: bareThen }),
    cpuFigure('desk mcp --no-daemon', inProcess, { ...ALONE, cost: bareThen }),
  ];
}

const ALONE = { name: 'the bundled library alone' } as const;

function greeted(command: readonly string[]): AskedServer {
  return { command, says: GREETING };
}

/** Each round begins without a daemon; the first command starts one. */
async function coldCosts(
  user: User,
  commands: readonly [AskedServer, ...AskedServer[]],
): Promise<{ readonly costs: readonly ChildCost[]; readonly daemonCpuMs: readonly number[] }> {
  const tickMs = 1000 / (await ticksPerSecond());
  const rounds: (readonly ChildCost[])[] = [];
  const daemonCpuMs: number[] = [];
  for (let round = 0; round < COLD_ROUNDS; round++) {
    await user.stop();
    const [first, ...others] = commands;
    const started = await childCosts([first], 1, user.environment);
    const pid = await user.daemonPid();
    const ticks = (await processes()).find((each) => each.pid === pid)?.ticks;
    daemonCpuMs.push((ticks ?? Number.NaN) * tickMs);
    await user.stop();
    rounds.push([...started, ...(await childCosts(others, 1, user.environment))]);
  }
  const costs = commands.map((_, index) => together(rounds.flatMap((costs) => costs[index] ?? [])));
  return { costs, daemonCpuMs };
}

export function together(costs: readonly ChildCost[]): ChildCost {
  return {
    cpuMs: Math.min(...costs.map(({ cpuMs }) => cpuMs)),
    cpuMedianMs: median(costs.map(({ cpuMedianMs }) => cpuMedianMs)),
    wallMs: costs.flatMap(({ wallMs }) => wallMs),
  };
}

interface Baseline {
  readonly name: string;
  readonly cost: ChildCost;
  /** The most that ours may take, as a multiple of it. */
  readonly goal?: number;
}

export function wallFigure(what: string, ours: ChildCost, { name, cost, goal }: Baseline): Figure {
  const [value, baseline] = [bestMedian(ours.wallMs, RUNS), bestMedian(cost.wallMs, RUNS)];
  const ratio = rounded(value / baseline, 2);
  const all = `p50 ${rounded(median(ours.wallMs))} against ${rounded(median(cost.wallMs))} ms, p95 ${rounded(percentile(ours.wallMs, 0.95))} against ${rounded(percentile(cost.wallMs, 0.95))} ms`;
  return {
    what: `${what}: from its start to the answer to initialize, p50 (best of five)`,
    value: rounded(value),
    unit: 'ms',
    baseline: rounded(baseline),
    ratio,
    ...(goal === undefined ? {} : { goal: `<= ${goal}`, met: ratio <= goal }),
    note: `compared with ${name}; of all ${ours.wallMs.length}: ${all}`,
  };
}

function cpuFigure(what: string, ours: ChildCost, { name, cost }: Baseline): Figure {
  return {
    what: `${what}: CPU of the process that the client starts, least of ${ours.wallMs.length}`,
    value: rounded(ours.cpuMs),
    unit: 'ms',
    baseline: rounded(cost.cpuMs),
    ratio: rounded(ours.cpuMs / cost.cpuMs, 2),
    note: `compared with ${name}; by medians ${rounded(ours.cpuMedianMs / cost.cpuMedianMs, 2)}`,
  };
}

/** Bundles a minimal server with the same library in the same way, but with everything that the library contains, and returns its path. */
async function buildAlone({ folder }: Program): Promise<string> {
  // Loaded by its path: as part of this bundle it would not find the repository.
  const script: typeof Build = await import(pathToFileURL(path.resolve('scripts/build.mjs')).href);
  const outdir = path.join(folder, 'alone');
  const { plugins = [], ...options } = script.hostOptions(outdir);
  await build({
    ...options,
    plugins: plugins.filter(({ name }) => name !== 'mcp-without-ajv' && name !== 'as-commonjs'),
    banner: {
      js: "const require=process.getBuiltinModule('node:module').createRequire(import.meta.url);",
    },
    entryPoints: { alone: 'bench/mcp-sdk-alone.ts' },
  });
  return path.join(outdir, 'alone.js');
}
