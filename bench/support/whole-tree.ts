import { z } from 'zod';
import type { TreeResult } from '../../src/ports/desktop.ts';
import { median, percentile, rounded, speedup } from './figures.ts';
import type { Figure } from './figures.ts';
import { runPeer } from './peer.ts';
import type { OpenSubject, Stage } from './stage.ts';
import type { Subject } from './subjects.ts';

const ROUNDS = 5;
const CALLS = { deadlineMs: 60_000 } as const;
/** Both sides must have read the same elements, but for what changes while they read. */
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

/** Whole tree with action names: ours on new connections, pyatspi in a new process, in turns. */
export async function wholeTree(stage: Stage, subject: Subject, open: OpenSubject): Promise<Figure[]> {
  const ours: OwnWalk[] = [];
  const peers: PeerWalk[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    ours.push(await readOnce(stage, open));
    const args = [open.root.app, open.root.path];
    peers.push(await runPeer('pyatspi_walk.py', args, stage.desktop.environment, PeerWalk));
  }
  const warm = await readAgain(stage, open);
  return figures(subject, ours, peers, warm);
}

async function readOnce(stage: Stage, open: OpenSubject): Promise<OwnWalk> {
  const cpu = process.cpuUsage();
  const begin = performance.now();
  const desktop = stage.freshDesktop();
  try {
    await desktop.listWindows(CALLS);
    const found = performance.now();
    const result = await desktop.readTree(request(open));
    const end = performance.now();
    const { user, system } = process.cpuUsage(cpu);
    return { findMs: found - begin, readMs: end - found, cpuMs: (user + system) / 1000, result };
  } finally {
    await desktop.close();
  }
}

/** Once more on a connection that is there already, as a daemon or a session does. */
async function readAgain(stage: Stage, open: OpenSubject): Promise<number[]> {
  const desktop = stage.freshDesktop();
  try {
    await desktop.readTree(request(open));
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const begin = performance.now();
      await desktop.readTree(request(open));
      times.push(performance.now() - begin);
    }
    return times;
  } finally {
    await desktop.close();
  }
}

function request(open: OpenSubject): {
  root: OpenSubject['root'];
  wholeTree: true;
  includeActions: true;
  maxNodes: number;
  deadlineMs: number;
} {
  return { root: open.root, wholeTree: true, includeActions: true, maxNodes: 100_000, ...CALLS };
}

function figures(
  subject: Subject,
  ours: readonly OwnWalk[],
  peers: readonly PeerWalk[],
  warm: readonly number[],
): Figure[] {
  const label = `${subject.name}: whole tree`;
  const read = ours.map((run) => run.readMs);
  const nodes = median(ours.map((run) => run.result.nodeCount));
  const peerNodes = median(peers.map((run) => run.nodes));
  const comparable = sameNodes(nodes, peers);
  const judged = speedup(
    `${label}, new connections, beside pyatspi`,
    median(read),
    median(peers.map((run) => run.walk_ms)),
    subject.speedupGoal,
  );
  const calls = median(ours.map((run) => run.result.callCount));
  const total = median(ours.map((run) => run.findMs + run.readMs));
  const peerTotal = median(peers.map((run) => run.find_ms + run.walk_ms));
  return [
    comparable
      ? judged
      : { ...judged, met: false, note: `not comparable: ${nodes} elements against ${peerNodes}` },
    {
      what: `${label}, p95`,
      value: rounded(percentile(read, 0.95)),
      unit: 'ms',
      baseline: rounded(
        percentile(
          peers.map((run) => run.walk_ms),
          0.95,
        ),
      ),
    },
    {
      what: `${label}, with finding the window`,
      value: rounded(total),
      unit: 'ms',
      baseline: rounded(peerTotal),
      ratio: rounded(peerTotal / total),
    },
    {
      what: `${label}, CPU of the reader, with finding the window`,
      value: rounded(median(ours.map((run) => run.cpuMs))),
      unit: 'ms',
      baseline: rounded(median(peers.map((run) => run.cpu_ms))),
    },
    { what: `${label}, connected`, value: rounded(median(warm)), unit: 'ms' },
    {
      what: `${label}, elements`,
      value: nodes,
      unit: 'elements',
      baseline: peerNodes,
      ...placelessNote(peers),
    },
    { what: `${label}, calls`, value: rounded(calls / nodes, 2), unit: 'calls per element' },
  ];
}

/**
 * pyatspi counts the page objects of GTK 4's stacks and notebooks, which the application leaves out when it is asked for children: they have
 * no box and no interface. They are not held against either side.
 */
function sameNodes(nodes: number, peers: readonly PeerWalk[]): boolean {
  const all = median(peers.map((run) => run.nodes));
  const placed = median(peers.map((run) => run.nodes - run.placeless));
  return [all, placed].some((count) => Math.abs(nodes - count) <= count * SAME_NODES);
}

function placelessNote(peers: readonly PeerWalk[]): { note?: string } {
  const placeless = median(peers.map((run) => run.placeless));
  return placeless === 0 ? {} : { note: `${placeless} of the peer's have no box` };
}
