import { readdir } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { median, percentile, rounded, type Figure, type Say } from './figures.ts';
import { PipeAsker } from './mcp-lines.ts';
import type { Calls, User } from './program.ts';
import { WeighedDaemon, type Weight } from './weighed-daemon.ts';

const CLIENTS = 50;
const CALLS_EACH = 20;
const TOOL = 'desktop_list_windows';
const GONE_LIMIT_MS = 5000;
const POLL_MS = 20;
const MIB = 1024 * 1024;

/** What clients at once measured, in milliseconds. */
export interface Visit {
  readonly wallMs: number;
  readonly callMs: readonly number[];
  /** From the start of the process to the answer to the first request. */
  readonly greetingMs: readonly number[];
}

/** What the daemon of a user holds. */
export interface Holding {
  readonly weight: Weight;
  readonly files: number;
  /** Empty if nothing keeps it. */
  readonly keptBy: string;
}

/** Many clients at once, each with its own process as MCP clients start it, compared with one. */
export async function crowdFigures(user: User, say: Say): Promise<Figure[]> {
  const daemon = await WeighedDaemon.start(user);
  const calls = await user.connect();
  try {
    const holding = async (): Promise<Holding> => ({
      weight: await daemon.weigh(),
      files: (await readdir(`/proc/${daemon.process.pid}/fd`)).length,
      keptBy: await calls.keptBy(),
    });
    // By now everything that is loaded or compiled once has been.
    await visit(user, 2, calls);
    say('one client');
    const one = await visit(user, 1, calls);
    const before = await holding();
    say(`${CLIENTS} clients at once`);
    let during: Holding | undefined;
    const many = await visit(user, CLIENTS, calls, async () => {
      during = await holding();
    });
    const after = await holding();
    say('one client again');
    const again = await visit(user, 1, calls);
    const alone = {
      wallMs: Math.min(one.wallMs, again.wallMs),
      callMs: [...one.callMs, ...again.callMs],
      greetingMs: [...one.greetingMs, ...again.greetingMs],
    };
    return [
      ...visitFigures(alone, many),
      ...(during === undefined ? [] : holdingFigures(before, during, after)),
    ];
  } finally {
    await calls.close();
  }
}

/** Clients of both generations alternately; `meanwhile` runs after all have been answered and before they disconnect. */
async function visit(
  user: User,
  clients: number,
  calls: Calls,
  meanwhile: () => Promise<void> = async () => undefined,
): Promise<Visit> {
  const callMs: number[] = [];
  const greetingMs: number[] = [];
  const begin = performance.now();
  const askers = Array.from({ length: clients }, (_, index) =>
    PipeAsker.start(user, index % 2 === 0 ? 'legacy' : 'modern'),
  );
  try {
    await Promise.all(
      askers.map(async (asker) => {
        await asker.greet();
        greetingMs.push(performance.now() - begin);
        await asker.listTools();
        for (let call = 0; call < CALLS_EACH; call++) {
          const asked = performance.now();
          await asker.call(TOOL);
          callMs.push(performance.now() - asked);
        }
      }),
    );
    const wallMs = performance.now() - begin;
    await meanwhile();
    return { wallMs, callMs, greetingMs };
  } finally {
    await Promise.all(askers.map((asker) => asker.close()));
    await untilGone(calls);
  }
}

/** The daemon notices a disconnected client a moment later. */
async function untilGone(calls: Calls): Promise<void> {
  const end = performance.now() + GONE_LIMIT_MS;
  while (performance.now() < end && /MCP client/.test(await calls.keptBy())) await sleep(POLL_MS);
}

export function visitFigures(one: Visit, many: Visit): Figure[] {
  const perSecond = (visit: Visit) => (visit.callMs.length * 1000) / visit.wallMs;
  const row = (what: string, value: number, baseline: number, note?: string): Figure => ({
    what: `${CLIENTS} clients at once: ${what}`,
    value: rounded(value),
    unit: 'ms',
    baseline: rounded(baseline),
    ratio: rounded(value / baseline, 1),
    note: note ?? 'compared with one client',
  });
  return [
    row(
      `start, tools/list and ${CALLS_EACH} calls of ${TOOL} each, wall`,
      many.wallMs,
      one.wallMs,
      `compared with one client; ${rounded(perSecond(many))} calls per second, starts included`,
    ),
    row('answer to the first request, p50', median(many.greetingMs), median(one.greetingMs)),
    row('call, p50', median(many.callMs), median(one.callMs)),
    row('call, p95', percentile(many.callMs, 0.95), percentile(one.callMs, 0.95)),
  ];
}

export function holdingFigures(before: Holding, during: Holding, after: Holding): Figure[] {
  const each = (bytes: number) => rounded(bytes / CLIENTS / MIB, 2);
  const filesLeft = after.files - before.files;
  const mib = (bytes: number) => `${rounded(bytes / MIB)} MiB`;
  return [
    {
      what: `daemon memory of each of ${CLIENTS} clients, garbage collected (RSS)`,
      value: each(during.weight.resident - before.weight.resident),
      unit: 'MiB',
      note: `${mib(before.weight.resident)} without, ${mib(during.weight.resident)} with them, ${mib(after.weight.resident)} after they have disconnected`,
    },
    {
      what: 'the same, objects and their buffers only',
      value: each(during.weight.objects - before.weight.objects),
      unit: 'MiB',
      note: `${mib(before.weight.objects)} without, ${mib(during.weight.objects)} with them, ${mib(after.weight.objects)} after they have disconnected`,
    },
    {
      what: `files of the daemon that are open when ${CLIENTS} clients have gone, beyond those before`,
      value: filesLeft,
      unit: '',
      goal: '<= 0',
      met: filesLeft <= 0,
      note: `${before.files} before, ${during.files} with them`,
    },
    {
      what: 'MCP clients that the daemon still has',
      value: clientsIn(after.keptBy),
      unit: '',
      goal: '0',
      met: clientsIn(after.keptBy) === 0,
      note: `with them: ${during.keptBy}`,
    },
  ];
}

function clientsIn(keptBy: string): number {
  return Number(/(\d+) MCP client/.exec(keptBy)?.[1] ?? 0);
}
