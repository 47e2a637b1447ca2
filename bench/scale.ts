/**
 * What a snapshot costs as nodes, applications and sessions grow. A snapshot should cost what it looked at: the same for a small page and the top of
 * a huge one, and the same however many other applications and sessions there are. `--only` selects from nodes, applications and sessions.
 */
import { z } from 'zod';
import { startFixture, type Fixture } from '../fixtures/driver.ts';
import { median, rounded, type Figure, type Report, type Say } from './support/figures.ts';
import { onDaemon, timesOf, type OnDaemon } from './support/on-daemon.ts';
import { pageFile } from './support/subjects.ts';

const NODES = [100, 500, 2000, 10_000, 50_000] as const;
const APPLICATIONS = [1, 5, 10, 20, 30] as const;
const SESSIONS = [1, 5, 10, 20] as const;
const ROUNDS = 15;
/** Whole trees of large pages take long, and differ little. */
const WHOLE_ROUNDS = 5;
/** The largest cost as a multiple of the smallest that still counts as independent. */
const SAME_RATIO = 1.5;
const CALLS = { deadlineMs: 30_000 } as const;

const Counted = z.object({ tree: z.unknown() });

export async function run({
  say,
  only = /./,
}: {
  readonly say: Say;
  readonly only?: RegExp | undefined;
}): Promise<Report> {
  const parts = [
    ['nodes', byNodes],
    ['applications', byApplications],
    ['sessions', bySessions],
  ] as const;
  const figures: Figure[] = [];
  for (const [name, part] of parts)
    if (only.test(name)) figures.push(...(await onDaemon(say, (on) => part(on, say))));
  return { name: 'scale', figures };
}

/** Pages in Chromium: what is on screen is about the same, the whole tree is not. */
async function byNodes({ stage, calls }: OnDaemon, say: Say): Promise<Figure[]> {
  const figures: Figure[] = [];
  const onScreen: number[] = [];
  for (const nodes of NODES) {
    say(`a page of ${nodes} nodes`);
    const open = await stage.open({
      name: `page of ${nodes}`,
      program: 'chromium',
      packageName: 'chromium',
      title: new RegExp(`Deskterity page of ${nodes}\\b`),
      atLeastNodes: nodes,
      prepare: pageFile(nodes),
    });
    try {
      const app = String(open.pid);
      const read = (input: Readonly<Record<string, string | boolean>>) => () =>
        calls.call('default', 'snapshot', { app, ...input });
      const cost = median(await timesOf(ROUNDS, read({})));
      onScreen.push(cost);
      figures.push(
        pointOf('what is on screen', 'nodes', nodes, cost, `${await sizeOf(read({}))} nodes in the answer`),
      );
      const whole = median(await timesOf(WHOLE_ROUNDS, read({ whole_tree: true })));
      figures.push(
        pointOf(
          'whole tree',
          'nodes',
          nodes,
          whole,
          `${await sizeOf(read({ whole_tree: true }))} nodes in the answer`,
        ),
      );
    } finally {
      await open.close();
    }
  }
  // The smallest page does not fill the window.
  return [...figures, spread('what is on screen, pages of 500 nodes and more', onScreen.slice(1))];
}

async function byApplications({ stage, calls }: OnDaemon, say: Say): Promise<Figure[]> {
  const { environment } = stage.desktop;
  const figures: Figure[] = [];
  const costs: number[] = [];
  const fixtures: Fixture[] = [];
  try {
    for (const count of APPLICATIONS) {
      while (fixtures.length < count) {
        const title = `Bench ${fixtures.length + 1}`;
        fixtures.push(await startFixture('gtk3', { environment, title, ...CALLS }));
      }
      say(`${count} applications`);
      const app = String(fixtures[0]?.pid);
      const cost = median(await timesOf(ROUNDS, () => calls.call('default', 'snapshot', { app })));
      costs.push(cost);
      figures.push(pointOf('snapshot of one', 'applications', count, cost));
      const list = median(await timesOf(ROUNDS, () => calls.call('default', 'list-windows')));
      figures.push(pointOf('list-windows', 'applications', count, list));
    }
    return [...figures, spread(`snapshot of one of 1 to ${fixtures.length} applications`, costs)];
  } finally {
    for (const fixture of fixtures) await fixture.stop();
  }
}

async function bySessions({ stage, user, calls }: OnDaemon, say: Say): Promise<Figure[]> {
  const { environment } = stage.desktop;
  const fixture = await startFixture('gtk3', { environment, ...CALLS });
  try {
    const app = String(fixture.pid);
    const figures: Figure[] = [];
    const costs: number[] = [];
    let opened = 0;
    for (const count of SESSIONS) {
      say(`${count} sessions`);
      const names = Array.from({ length: count }, (_, index) => `s${index + 1}`);
      for (; opened < count; opened++) await user.desk('session', 'new', names[opened] ?? '');
      const times: number[] = [];
      for (const name of names)
        times.push(
          ...(await timesOf(Math.max(3, Math.ceil(ROUNDS / count)), () =>
            calls.call(name, 'snapshot', { app }),
          )),
        );
      const cost = median(times);
      costs.push(cost);
      figures.push(pointOf('snapshot in each in turn', 'sessions', count, cost));
    }
    return [...figures, spread(`snapshot in 1 to ${SESSIONS.at(-1)} sessions`, costs)];
  } finally {
    await fixture.stop();
  }
}

function pointOf(curve: string, axis: string, at: number, ms: number, note?: string): Figure {
  return {
    what: `${curve}, ${at} ${axis}: p50`,
    value: rounded(ms, 2),
    unit: 'ms',
    point: { curve, axis, at },
    ...(note === undefined ? {} : { note }),
  };
}

function spread(what: string, costs: readonly number[]): Figure {
  const [least, most] = [Math.min(...costs), Math.max(...costs)];
  const ratio = rounded(most / least, 2);
  return {
    what: `${what}: the dearest beside the cheapest`,
    value: rounded(most, 2),
    unit: 'ms',
    baseline: rounded(least, 2),
    beside: 'the cheapest',
    ratio,
    goal: `<= ${SAME_RATIO}`,
    met: ratio <= SAME_RATIO,
  };
}

/** How many nodes an answer holds. */
async function sizeOf(read: () => Promise<string>): Promise<number> {
  const { tree } = Counted.parse(JSON.parse(await read()));
  return countOf(tree);
}

const WithChildren = z.object({ children: z.array(z.unknown()).optional() });

function countOf(tree: unknown): number {
  const { children = [] } = WithChildren.parse(tree);
  return children.reduce<number>((sum, child) => sum + countOf(child), 1);
}
