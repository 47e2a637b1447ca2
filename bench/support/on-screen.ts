import type { LinuxDesktop } from '../../src/platform/linux/desktop/linux-desktop.ts';
import type { TreeResult } from '../../src/ports/desktop/elements.ts';
import { median, overFloor, percentile, rounded, type Figure } from './figures.ts';
import { record, Replay, type SentCall } from './floor.ts';
import { replayAddress } from './replay-address.ts';
import type { OpenSubject, Stage } from './stage.ts';
import type { Subject } from './subjects.ts';

const ROUNDS = 11;
const CALLS = { deadlineMs: 60_000 } as const;
const GOAL = 2;

interface Samples {
  readonly ours: number[];
  readonly cpu: number[];
  readonly floor: number[];
}

/** What `snapshot` reads by default, compared alternately with the same messages sent at once and replies only counted. */
export async function onScreen(stage: Stage, subject: Subject, open: OpenSubject): Promise<Figure[]> {
  const desktop = stage.freshDesktop();
  try {
    await read(desktop, open);
    let result: TreeResult | undefined;
    const calls = await record(async () => {
      result = await read(desktop, open);
    });
    const samples = await inTurns(desktop, open, calls, await replayAddress(stage, open, calls));
    return figures(subject, samples, calls.length, result?.nodeCount ?? 0);
  } finally {
    await desktop.close();
  }
}

async function inTurns(
  desktop: LinuxDesktop,
  open: OpenSubject,
  calls: readonly SentCall[],
  address: { readonly address: string; readonly viaBus: boolean },
): Promise<Samples> {
  const samples: Samples = { ours: [], cpu: [], floor: [] };
  for (let round = 0; round < ROUNDS; round++) {
    const cpu = process.cpuUsage();
    const begin = performance.now();
    await read(desktop, open);
    samples.ours.push(performance.now() - begin);
    const { user, system } = process.cpuUsage(cpu);
    samples.cpu.push((user + system) / 1000);
    const replay = await Replay.connect(address.address, address.viaBus, CALLS.deadlineMs);
    samples.floor.push(await replay.send(calls));
    replay.close();
  }
  return samples;
}

function read(desktop: LinuxDesktop, open: OpenSubject): Promise<TreeResult> {
  return desktop.readTree({
    root: open.root,
    wholeTree: false,
    includeActions: false,
    maxNodes: 20_000,
    ...CALLS,
  });
}

function figures(subject: Subject, samples: Samples, calls: number, nodes: number): Figure[] {
  const label = `${subject.name}: on screen`;
  return [
    overFloor(
      `${label}, compared with the same messages in one pipeline`,
      median(samples.ours),
      median(samples.floor),
      GOAL,
    ),
    {
      what: `${label}, p95`,
      value: rounded(percentile(samples.ours, 0.95)),
      unit: 'ms',
      baseline: rounded(percentile(samples.floor, 0.95)),
    },
    {
      what: `${label}, best`,
      value: rounded(Math.min(...samples.ours)),
      unit: 'ms',
      baseline: rounded(Math.min(...samples.floor)),
    },
    { what: `${label}, CPU of the reader`, value: rounded(median(samples.cpu)), unit: 'ms' },
    { what: `${label}, elements`, value: nodes, unit: 'elements' },
    { what: `${label}, calls`, value: rounded(calls / Math.max(1, nodes), 2), unit: 'calls per element' },
  ];
}
