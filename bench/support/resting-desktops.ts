import { setTimeout as sleep } from 'node:timers/promises';
import { median, rounded, type Figure, type Say } from './figures.ts';
import { belongingTo, processes, sharedOutMemory, ticksPerSecond } from './processes.ts';
import type { User } from './program.ts';

const DESKTOPS = 8;
const SETTLE_MS = 3000;
const REST_MS = 10_000;
const MIB = 1024 * 1024;

/** Starts private desktops one after the other and leaves them idle. They end with the daemon of `user`. */
export async function restingDesktops(user: User, say: Say): Promise<Figure[]> {
  const calls = await user.connect();
  try {
    const starts: number[] = [];
    for (let index = 1; index <= DESKTOPS; index++) {
      say(`private desktop ${index}`);
      const begin = performance.now();
      await calls.call(`p${index}`, 'session new', { name: `p${index}`, private: true });
      starts.push(performance.now() - begin);
    }
    say('at rest');
    await sleep(SETTLE_MS);
    return [...startFigures(starts), ...(await atRest(await user.daemonPid()))];
  } finally {
    await calls.close();
  }
}

function startFigures(starts: readonly number[]): Figure[] {
  return [
    {
      what: `start of a private desktop, p50 of ${DESKTOPS}`,
      value: rounded(median(starts), 0),
      unit: 'ms',
      note: `in order: ${starts.map((start) => rounded(start, 0)).join(', ')}`,
    },
  ];
}

async function atRest(daemon: number): Promise<Figure[]> {
  const perSecond = await ticksPerSecond();
  const before = await processes();
  const begin = performance.now();
  await sleep(REST_MS);
  const after = await processes();
  const seconds = (performance.now() - begin) / 1000;
  const keepers = belongingTo(daemon, after);
  const share = (pids: readonly number[]) =>
    rounded((100 * (ticksOf(pids, after) - ticksOf(pids, before))) / perSecond / seconds, 2);
  const pids = keepers.map(({ pid }) => pid);
  const resolution = `over ${rounded(seconds)} s, counted in ticks of ${1000 / perSecond} ms for each process`;
  const memory = await sharedOutMemory(pids);
  return [
    {
      what: `memory of a resting private desktop, mean of ${DESKTOPS} (PSS)`,
      value: rounded(memory / DESKTOPS / MIB),
      unit: 'MiB',
      note: `${pids.length} processes of ${DESKTOPS} desktops`,
    },
    {
      what: `CPU of ${DESKTOPS} resting private desktops`,
      value: share(pids),
      unit: '% of a core',
      note: resolution,
    },
    {
      what: `CPU of the daemon that keeps ${DESKTOPS} private desktops`,
      value: share([daemon]),
      unit: '% of a core',
      note: resolution,
    },
    {
      what: `memory of the daemon that keeps ${DESKTOPS} private desktops (PSS)`,
      value: rounded((await sharedOutMemory([daemon])) / MIB),
      unit: 'MiB',
    },
  ];
}

function ticksOf(
  pids: readonly number[],
  all: readonly { readonly pid: number; readonly ticks: number }[],
): number {
  return all.filter(({ pid }) => pids.includes(pid)).reduce((sum, { ticks }) => sum + ticks, 0);
}
