/**
 * A snapshot of a window that the daemon knows already. Times are those of a call over a lasting connection: the daemon's own and one round trip.
 * The whole tree of a page needs no boxes, because nothing has to be visible; `--include-bounds` reads the boxes of what is on screen anew, since
 * toolkits do not signal them. Last, the command line from its start to its end, compared with an empty Node. `--only` selects by name.
 */
import { startFixture } from '../fixtures/driver.ts';
import { childCosts } from './support/child-cost.ts';
import { median, percentile, rounded, type Figure, type Report, type Say } from './support/figures.ts';
import { onDaemon, timesOf, type OnDaemon } from './support/on-daemon.ts';
import { pageFile, sheetFile, type Opening } from './support/subjects.ts';

const ROUNDS = 30;
const CLI_ROUNDS = 20;
const CLI_RATIO_GOAL = 2;
const CALLS = { deadlineMs: 20_000 } as const;
/** Of a tree without boxes, by its number of nodes. */
const PLAIN_GOALS_MS = [
  [300, 5],
  [5000, 25],
] as const;
const BOUNDS_GOAL_MS = 15;
const FIXTURES = [
  ['gtk3', BOUNDS_GOAL_MS],
  ['gtk4', 80],
  ['qt5', BOUNDS_GOAL_MS],
  ['qt6', BOUNDS_GOAL_MS],
] as const;

type Part = (on: OnDaemon) => Promise<Figure[]>;

export async function run({
  say,
  only = /./,
}: {
  readonly say: Say;
  readonly only?: RegExp | undefined;
}): Promise<Report> {
  const parts: readonly (readonly [name: string, part: Part])[] = [
    ...PLAIN_GOALS_MS.map(
      ([nodes, goal]) => [`page of ${nodes}`, (on: OnDaemon) => plainTree(on, nodes, goal)] as const,
    ),
    ...FIXTURES.map(([kind, goal]) => [kind, (on: OnDaemon) => fixtureBounds(on, kind, goal)] as const),
    ...OPENINGS.map((opening) => [opening.name, (on: OnDaemon) => openedBounds(on, opening)] as const),
    ['command line', commandLine],
  ];
  const figures: Figure[] = [];
  for (const [name, part] of parts) {
    if (!only.test(name)) continue;
    say(name);
    figures.push(...(await onDaemon(say, part)));
  }
  return { name: 'warm-snapshot', figures };
}

const OPENINGS: readonly Opening[] = [
  {
    name: 'LibreOffice Calc',
    program: 'soffice',
    packageName: 'libreoffice-calc libreoffice-gtk3',
    title: /prices.*Calc$/i,
    atLeastNodes: 300,
    prepare: sheetFile,
  },
  pageIn('Firefox', 'firefox-esr', 300),
  pageIn('Chromium', 'chromium', 300),
];

function pageIn(name: string, program: string, nodes: number): Opening {
  return {
    name: `${name}, page of ${nodes}`,
    program,
    packageName: program,
    title: new RegExp(`Deskterity page of ${nodes}\\b`),
    atLeastNodes: nodes,
    prepare: pageFile(nodes),
  };
}

/** Whether something is visible does not matter to a whole tree, so that nothing asks for boxes. */
async function plainTree({ stage, calls }: OnDaemon, nodes: number, goalMs: number): Promise<Figure[]> {
  const open = await stage.open(pageIn('Firefox', 'firefox-esr', nodes));
  try {
    const input = { app: String(open.pid), whole_tree: true };
    const times = await timesOf(ROUNDS, () => calls.call('default', 'snapshot', input));
    return figuresOf(`${nodes} nodes without boxes (Firefox, whole tree)`, times, goalMs);
  } finally {
    await open.close();
  }
}

async function fixtureBounds(
  { stage, calls }: OnDaemon,
  kind: (typeof FIXTURES)[number][0],
  goalMs: number,
): Promise<Figure[]> {
  const { environment } = stage.desktop;
  const fixture = await startFixture(kind, { environment, ...CALLS });
  try {
    return await withBounds(calls, kind, fixture.pid, goalMs);
  } finally {
    await fixture.stop();
  }
}

async function openedBounds({ stage, calls }: OnDaemon, opening: Opening): Promise<Figure[]> {
  const open = await stage.open(opening);
  try {
    return await withBounds(calls, opening.name, open.pid, BOUNDS_GOAL_MS);
  } finally {
    await open.close();
  }
}

async function withBounds(
  calls: OnDaemon['calls'],
  name: string,
  pid: number,
  goalMs: number,
): Promise<Figure[]> {
  const app = String(pid);
  const bounds = await timesOf(ROUNDS, () =>
    calls.call('default', 'snapshot', { app, include_bounds: true }),
  );
  const plain = await timesOf(ROUNDS, () => calls.call('default', 'snapshot', { app }));
  const anew = await timesOf(ROUNDS, () => calls.call('default', 'snapshot', { app, mirror: false }));
  return [
    ...figuresOf(`${name}: with fresh boxes of what is on screen`, bounds, goalMs),
    {
      what: `${name}: snapshot as usual, p50`,
      value: rounded(median(plain), 2),
      unit: 'ms',
      baseline: rounded(median(anew), 2),
      beside: 'read anew (--no-mirror)',
      ratio: rounded(median(plain) / median(anew), 2),
    },
  ];
}

function figuresOf(what: string, times: readonly number[], goalMs: number): Figure[] {
  const value = rounded(median(times), 2);
  return [
    { what: `${what}, p50`, value, unit: 'ms', goal: `< ${goalMs} ms`, met: value < goalMs },
    { what: `${what}, p95`, value: rounded(percentile(times, 0.95), 2), unit: 'ms' },
  ];
}

async function commandLine({ stage, user }: OnDaemon): Promise<Figure[]> {
  const { environment } = stage.desktop;
  const fixture = await startFixture('gtk3', { environment, ...CALLS });
  try {
    const command = [process.execPath, user.program.entry, 'snapshot', '--app', String(fixture.pid)];
    await user.desk('snapshot', '--app', String(fixture.pid));
    const [empty, ours] = await childCosts(
      [[process.execPath, '-e', '0'], command],
      CLI_ROUNDS,
      user.environment,
    );
    if (empty === undefined || ours === undefined) return [];
    const [value, baseline] = [median(ours.wallMs), median(empty.wallMs)];
    const ratio = rounded(value / baseline, 2);
    return [
      {
        what: 'desk snapshot, warm daemon: wall, p50',
        value: rounded(value),
        unit: 'ms',
        baseline: rounded(baseline),
        beside: 'node -e 0',
        ratio,
        goal: `<= ${CLI_RATIO_GOAL}`,
        met: ratio <= CLI_RATIO_GOAL,
      },
    ];
  } finally {
    await fixture.stop();
  }
}
