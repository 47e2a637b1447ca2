/**
 * Memory of the daemon under use: resident memory 10 s after 10,000 mixed commands, and whether it still grows. The daemon runs as published, and nothing
 * asks it to collect garbage. `--only short` gives a tenth of the commands.
 */
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { startFixture } from '../fixtures/driver.ts';
import { rounded, type Figure, type Report, type Say } from './support/figures.ts';
import { onDaemon, type OnDaemon } from './support/on-daemon.ts';
import type { Calls } from './support/program.ts';

const COMMANDS = 10_000;
const SHORT_COMMANDS = 1000;
/** Readings along the way. */
const READINGS = 20;
const REST_MS = 10_000;
const GOAL_MB = 120;
/** Growth from the middle to the end, as a ratio, that still counts as flat. */
const FLAT_RATIO = 1.1;
const SESSION = 'default';
const CALLS = { deadlineMs: 20_000 } as const;

const Found = z.object({ matches: z.array(z.object({ ref: z.string().optional(), role: z.string() })) });

export async function run({
  say,
  only,
}: {
  readonly say: Say;
  readonly only?: RegExp | undefined;
}): Promise<Report> {
  const commands = only?.test('short') === true ? SHORT_COMMANDS : COMMANDS;
  return onDaemon(say, async (on) => {
    const { environment } = on.stage.desktop;
    const fixture = await startFixture('gtk3', { environment, ...CALLS });
    try {
      return { name: 'memory', figures: await measure(on, String(fixture.pid), commands, say) };
    } finally {
      await fixture.stop();
    }
  });
}

async function measure(
  { user, calls }: OnDaemon,
  app: string,
  commands: number,
  say: Say,
): Promise<Figure[]> {
  const mixed = await mixture(calls, app);
  const pid = await user.daemonPid();
  const figures: Figure[] = [];
  const atRest: number[] = [];
  const step = commands / READINGS;
  for (let done = 0; done < commands; done++) {
    if (done % step === 0) {
      const resident = await residentMb(pid);
      say(`${done} of ${commands} commands: ${resident} MB`);
      figures.push(along(done, resident));
    }
    await mixed[done % mixed.length]?.(done);
    if (done + 1 === commands / 2 || done + 1 === commands) {
      await sleep(REST_MS);
      atRest.push(await residentMb(pid));
    }
  }
  const [middle = Number.NaN, end = Number.NaN] = atRest;
  const ratio = rounded(end / middle, 2);
  return [
    ...figures,
    along(commands, end),
    {
      what: `daemon, ${REST_MS / 1000} s after ${commands} mixed commands (RSS)`,
      value: end,
      unit: 'MB',
      goal: `< ${GOAL_MB} MB`,
      met: end < GOAL_MB,
    },
    {
      what: 'the same, compared with half as many commands',
      value: end,
      unit: 'MB',
      baseline: middle,
      beside: 'half as many commands',
      ratio,
      goal: `<= ${FLAT_RATIO}`,
      met: ratio <= FLAT_RATIO,
    },
  ];
}

function along(at: number, value: number): Figure {
  return {
    what: `daemon after ${at} commands (RSS)`,
    value,
    unit: 'MB',
    point: { curve: 'daemon', axis: 'commands', at },
  };
}

/** Twenty-five commands in a fixed order: mostly readings, some acts. */
async function mixture(calls: Calls, app: string): Promise<((turn: number) => Promise<unknown>)[]> {
  const call = (command: string, input: Readonly<Record<string, string | number | boolean>> = {}) =>
    calls.call(SESSION, command, input);
  const refOf = async (query: string, role: string): Promise<string> => {
    const { matches } = Found.parse(JSON.parse(await call('find', { query, by: 'exact', app })));
    return matches.find((match) => match.role === role)?.ref ?? '';
  };
  const [agree, name] = [await refOf('Agree', 'checkbox'), await refOf('Name', 'textbox')];
  const snapshot = () => call('snapshot', { app });
  const find = () => call('find', { query: 'e', by: 'contains', app });
  const value = () => call('get', { property: 'value', ref: name });
  return [
    ...Array.from({ length: 8 }, () => snapshot),
    ...Array.from({ length: 5 }, () => find),
    ...Array.from({ length: 5 }, () => value),
    () => call('list-windows'),
    () => call('version'),
    () => call('snapshot', { app, whole_tree: true }),
    () => call('is', { state: 'enabled', ref: agree }),
    () => call('screenshot', { app }),
    () => call('toggle', { ref: agree }),
    (turn) => call('set-value', { ref: name, value: `Ada ${turn}` }),
  ];
}

async function residentMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const kilobytes = Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? Number.NaN);
  return rounded((kilobytes * 1024) / 1e6);
}
