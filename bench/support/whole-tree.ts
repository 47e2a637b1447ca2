import { z } from 'zod';
import type { LinuxDesktop } from '../../src/platform/linux/desktop/linux-desktop.ts';
import type { TreeResult } from '../../src/ports/desktop/elements.ts';
import { median, percentile, rounded, speedup, type Figure } from './figures.ts';
import { record, Replay } from './floor.ts';
import { runPeer } from './peer.ts';
import { replayAddress } from './replay-address.ts';
import type { OpenSubject, Stage } from './stage.ts';
import type { Subject } from './subjects.ts';

const ROUNDS = 5;
const CALLS = { deadlineMs: 60_000 } as const;
/** Both sides must have read the same elements, except for changes meanwhile. */
const SAME_NODES = 0.02;

const PeerWalk = z.object({
  nodes: z.int(),
  placeless: z.int(),
  find_ms: z.number(),
  walk_ms: z.number(),
  cpu_ms: z.number(),
});
type PeerWalk = z.output<typeof PeerWalk>;

interface OwnWalk {
  readonly findMs: number;
  readonly readMs: number;
  readonly cpuMs: number;
  readonly result: TreeResult;
}

interface Samples {
  readonly ours: OwnWalk[];
  /** Without names of actions. */
  readonly plain: OwnWalk[];
  readonly cleared: PeerWalk[];
  readonly fresh: PeerWalk[];
  readonly floor: number[];
}

/** The whole tree with names of actions: ours on new connections, pyatspi in new processes, and the bare messages, alternately. */
export async function wholeTree(stage: Stage, subject: Subject, open: OpenSubject): Promise<Figure[]> {
  const samples: Samples = { ours: [], plain: [], cleared: [], fresh: [], floor: [] };
  for (let round = 0; round < ROUNDS; round++) {
    samples.ours.push(await readOurs(stage, open, true));
    samples.plain.push(await readOurs(stage, open, false));
    samples.cleared.push(await readPeer(stage, open, 'cleared'));
    samples.fresh.push(await readPeer(stage, open, 'new'));
    samples.floor.push(await replay(stage, open));
  }
  return figures(subject, samples);
}

async function readOurs(stage: Stage, open: OpenSubject, includeActions: boolean): Promise<OwnWalk> {
  const cpu = process.cpuUsage();
  const begin = performance.now();
  const desktop = stage.freshDesktop();
  try {
    await desktop.listWindows(CALLS);
    const found = performance.now();
    const result = await read(desktop, open, includeActions);
    const end = performance.now();
    const { user, system } = process.cpuUsage(cpu);
    return { findMs: found - begin, readMs: end - found, cpuMs: (user + system) / 1000, result };
  } finally {
    await desktop.close();
  }
}

function read(desktop: LinuxDesktop, { root }: OpenSubject, includeActions = true): Promise<TreeResult> {
  return desktop.readTree({ root, wholeTree: true, includeActions, maxNodes: 100_000, ...CALLS });
}

function readPeer(stage: Stage, { root }: OpenSubject, cache: 'cleared' | 'new'): Promise<PeerWalk> {
  return runPeer('pyatspi_walk.py', [root.app, root.path, cache], stage.desktop.environment, PeerWalk);
}

async function replay(stage: Stage, open: OpenSubject): Promise<number> {
  const desktop = stage.freshDesktop();
  try {
    // Once before, because the messages that open the connection do not count.
    await read(desktop, open);
    const calls = await record(() => read(desktop, open));
    const { address, viaBus } = await replayAddress(stage, open, calls);
    const pipeline = await Replay.connect(address, viaBus, CALLS.deadlineMs);
    try {
      return await pipeline.send(calls);
    } finally {
      pipeline.close();
    }
  } finally {
    await desktop.close();
  }
}

function figures(subject: Subject, { ours, plain, cleared, fresh, floor }: Samples): Figure[] {
  const label = `${subject.name}: whole tree`;
  const read = ours.map((run) => run.readMs);
  const total = median(ours.map((run) => run.findMs + run.readMs));
  const freshTotal = median(fresh.map((run) => run.find_ms + run.walk_ms));
  const nodes = median(ours.map((run) => run.result.nodeCount));
  const calls = median(ours.map((run) => run.result.callCount));
  const walk = (runs: readonly PeerWalk[]): number[] => runs.map((run) => run.walk_ms);
  const row = (what: string, value: number, baseline?: number): Figure => ({
    what: `${label}, ${what}`,
    value: rounded(value),
    unit: 'ms',
    ...(baseline === undefined ? {} : { baseline: rounded(baseline) }),
  });
  const judged = speedup(
    `${label}, new connections, compared with pyatspi with an empty cache`,
    median(read),
    median(walk(cleared)),
    subject.speedupGoal,
  );
  return [
    sameNodes(nodes, cleared)
      ? judged
      : { ...judged, met: false, note: 'not comparable: see its number of elements' },
    row('p95', percentile(read, 0.95), percentile(walk(cleared), 0.95)),
    {
      ...row(
        'as snapshot --whole-tree reads it',
        median(plain.map((run) => run.readMs)),
        median(walk(cleared)),
      ),
      ratio: rounded(median(walk(cleared)) / median(plain.map((run) => run.readMs))),
      note: 'ours without names of actions, the peer with them',
    },
    {
      ...row('with finding the window, compared with a new pyatspi process', total, freshTotal),
      ratio: rounded(freshTotal / total),
      note: 'libatspi fills its cache from the bulk cache while it finds the window',
    },
    {
      ...row('compared with the same messages in one pipeline', median(read), median(floor)),
      ratio: rounded(median(read) / median(floor), 2),
    },
    row(
      'CPU of the reader, with finding the window',
      median(ours.map((run) => run.cpuMs)),
      median(cleared.map((run) => run.cpu_ms)),
    ),
    {
      what: `${label}, elements`,
      value: nodes,
      unit: 'elements',
      baseline: median(cleared.map((run) => run.nodes)),
      note: `${median(cleared.map((run) => run.placeless))} of the peer's have no box`,
    },
    { what: `${label}, calls`, value: rounded(calls / nodes, 2), unit: 'calls per element' },
  ];
}

/**
 * A pyatspi with a filled cache counts the page objects of GTK 4's stacks and notebooks, which the application omits when its children are requested,
 * because they have no box. They do not count for either side.
 */
function sameNodes(nodes: number, peers: readonly PeerWalk[]): boolean {
  const all = median(peers.map((run) => run.nodes));
  const placed = median(peers.map((run) => run.nodes - run.placeless));
  return [all, placed].some((count) => Math.abs(nodes - count) <= count * SAME_NODES);
}
