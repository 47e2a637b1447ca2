import { duplexPair } from 'node:stream';
import { openApp } from '../../src/app/open-app.ts';
import { openConnection } from '../../src/surfaces/mcp/tools/open-connection.ts';
import { serveLines } from '../../src/surfaces/mcp/connections/serve-lines.ts';
import { bestMedian, percentile, rounded, type Figure, type Say } from './figures.ts';
import type { McpAsker } from './mcp-asker.ts';
import { HttpAsker, HttpServing } from './mcp-http.ts';
import { LineAsker, PipeAsker } from './mcp-lines.ts';
import { processes, ticksPerSecond } from './processes.ts';
import type { User } from './program.ts';

/** Cheap commands, because the path to them is what is measured. */
const COMMANDS = ['version', 'status', 'list-windows'] as const;
type Command = (typeof COMMANDS)[number];

/** Enough for both processes to have compiled what they run. */
const WARM_UP_CALLS = 200;
/** Alternating over all ways, so that other load on the machine affects them equally. */
const TURNS = 300;
/** One way after the other, because processor time is counted in ticks. */
const CPU_CALLS = 600;
const GOAL_MS = 2;
const OPTIONS = { toolsets: ['all'], isReadOnly: false, structured: 'always', session: undefined } as const;

/** One way to have a command carried out. */
interface Way {
  readonly name: string;
  readonly call: (command: Command) => Promise<unknown>;
}

/** Milliseconds of each call by each way. */
export interface WayTimes {
  readonly name: string;
  readonly ms: readonly number[];
}

const STDIO = 'stdio (desk mcp, warm daemon)';

/** What a tool call costs compared with the same command in the caller's own process. */
export async function callFigures(user: User, say: Say): Promise<Figure[]> {
  const closing: (() => Promise<unknown>)[] = [];
  try {
    const app = openApp({ environment: user.environment, cwd: '/', version: '0', isPersistent: true });
    closing.unshift(() => app.close());
    const { environment } = user;
    const session = app.openTemporarySession('bench', { environment, cwd: '/' }).name;
    const inProcess: Way = { name: 'in process', call: (command) => app.call(session, command, {}) };

    const [near, far] = duplexPair();
    const parts = { app, caller: { environment, cwd: '/' }, version: '0', options: OPTIONS };
    const served = serveLines({
      stream: far,
      version: '0',
      open: () => openConnection({ ...parts, hasSessionArgument: false }),
    });
    closing.unshift(() => {
      near.destroy();
      far.destroy();
      return served;
    });
    const calls = await user.connect();
    closing.unshift(() => calls.close());
    const serving = await HttpServing.start(user, ['--toolsets', 'all']);
    closing.unshift(() => serving.close());
    const socket = await calls.openMcp(OPTIONS);
    const pipe = PipeAsker.start(user, 'legacy', ['--toolsets', 'all']);
    const askers: readonly (readonly [string, McpAsker])[] = [
      ['a stream in the same process', new LineAsker(near, near, 'legacy')],
      ["the daemon's socket, without desk mcp", new LineAsker(socket, socket, 'legacy')],
      [STDIO, pipe],
      [`${STDIO}, modern era`, PipeAsker.start(user, 'modern', ['--toolsets', 'all'])],
      ['HTTP, legacy era', new HttpAsker(serving.url, 'legacy')],
      ['HTTP, modern era', new HttpAsker(serving.url, 'modern')],
    ];
    for (const [, asker] of askers) {
      closing.unshift(() => asker.close());
      await asker.greet();
    }
    const ways: readonly Way[] = [
      inProcess,
      { name: 'the command over the socket, no MCP', call: (command) => calls.call('default', command) },
      ...askers.map(([name, asker]) => ({ name, call: (command: Command) => asker.call(toolOf(command)) })),
    ];
    const figures: Figure[] = [];
    for (const command of COMMANDS) {
      say(`calls of ${command}`);
      figures.push(...wayFigures(command, await inTurn(ways, command)));
    }
    say('processor time of calls');
    const pids = { daemon: await user.daemonPid(), pipe: pipe.pid };
    figures.push(
      ...(await cpuFigures(inProcess, { name: STDIO, call: () => pipe.call(toolOf('version')) }, pids)),
    );
    return figures;
  } finally {
    for (const close of closing) await close();
  }
}

function toolOf(command: Command): string {
  return `desktop_${command.replaceAll('-', '_')}`;
}

async function inTurn(ways: readonly Way[], command: Command): Promise<WayTimes[]> {
  for (const way of ways) for (let call = 0; call < WARM_UP_CALLS; call++) await way.call(command);
  const times = ways.map(({ name }) => ({ name, ms: new Array<number>() }));
  for (let turn = 0; turn < TURNS; turn++) {
    for (const [index, way] of ways.entries()) {
      const begin = performance.now();
      await way.call(command);
      times[index]?.ms.push(performance.now() - begin);
    }
  }
  return times;
}

/** The first way is the baseline of the others. */
export function wayFigures(command: string, times: readonly WayTimes[]): Figure[] {
  const [base, ...others] = times;
  if (base === undefined) return [];
  const least = bestMedian(base.ms);
  const leastP95 = percentile(base.ms, 0.95);
  return others.map(({ name, ms }): Figure => {
    const own = bestMedian(ms);
    const over = rounded(own - least, 2);
    return {
      what: `${command} by ${name}: over the command in process, p50 (best of five)`,
      value: over,
      unit: 'ms',
      baseline: rounded(least, 2),
      ratio: rounded(own / least, 1),
      ...(name === STDIO ? { goal: `< ${GOAL_MS}`, met: over < GOAL_MS } : {}),
      note: `p50 ${rounded(own, 2)} ms, p95 ${rounded(percentile(ms, 0.95), 2)} ms; in process p95 ${rounded(leastP95, 2)} ms`,
    };
  });
}

async function cpuFigures(
  inProcess: Way,
  overStdio: Way,
  pids: { readonly daemon: number; readonly pipe: number },
): Promise<Figure[]> {
  const before = process.cpuUsage();
  for (let call = 0; call < CPU_CALLS; call++) await inProcess.call('version');
  const { user, system } = process.cpuUsage(before);
  const own = (user + system) / 1000 / CPU_CALLS;
  const start = await ticksOf(pids);
  for (let call = 0; call < CPU_CALLS; call++) await overStdio.call('version');
  const end = await ticksOf(pids);
  const tickMs = 1000 / (await ticksPerSecond());
  const row = (who: keyof typeof pids, what: string): Figure => {
    const each = ((end[who] - start[who]) * tickMs) / CPU_CALLS;
    return {
      what: `version over stdio: CPU of ${what} per call`,
      value: rounded(each, 2),
      unit: 'ms',
      baseline: rounded(own, 2),
      ratio: rounded(each / own, 1),
      note: `compared with the command in process; mean of ${CPU_CALLS}`,
    };
  };
  return [row('daemon', 'the daemon'), row('pipe', 'desk mcp')];
}

async function ticksOf<T extends Readonly<Record<string, number>>>(
  pids: T,
): Promise<{ readonly [who in keyof T]: number }>;
async function ticksOf(pids: Readonly<Record<string, number>>): Promise<Readonly<Record<string, number>>> {
  const all = await processes();
  return Object.fromEntries(
    Object.entries(pids).map(([who, pid]) => [
      who,
      all.find((each) => each.pid === pid)?.ticks ?? Number.NaN,
    ]),
  );
}
