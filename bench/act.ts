/**
 * What acting costs: a click and its parts, pointer and keyboard, and how often a driver has to look when receipts report what changed, compared
 * with one that looks after every act. One application per toolkit, all calls in this process. Then the same acts over MCP on a warm daemon, beside a
 * plain xdotool script and beside cua-driver, on the same windows in turn, each checked by the application's own record (`acts/`).
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { FIXTURE_KINDS, type FixtureKind } from '../fixtures/driver.ts';
import type { OutputNode } from '../src/model/tree/node.ts';
import type { Role } from '../src/model/tree/role.ts';
import { memoryStore, setStage, type Stage } from '../scripts/proof/stage.ts';
import { createEngine } from '../src/engine/create-engine.ts';
import { LinuxDesktop } from '../src/platform/linux/desktop/linux-desktop.ts';
import { createClock } from '../src/platform/node/clock.ts';
import { runActs } from './acts/run-acts.ts';
import { median, percentile, rounded, type Figure, type Report, type Say } from './support/figures.ts';
import { drive, TASKS } from './support/scripted-tasks.ts';
import { TimedEngine, type ActTimes } from './support/timed-act.ts';

const CLICKS = 20;
const GESTURES = 10;
const CALLS = { deadlineMs: 20_000 } as const;
const REST_MS = 200;
const LETTERS = 'abcdefghij'.repeat(10);
/** The least reduction in snapshots compared with a driver that ignores receipts. */
const GOAL_PERCENT = 70;

/** Qt's check boxes are refused in the background, because they would not report a click; its tabs are not. */
const TABS = { names: ['Advanced', 'General'], roles: ['tab'] } as const;
const CLICKED: Readonly<
  Record<FixtureKind, { readonly names: readonly string[]; readonly roles: readonly Role[] }>
> = {
  gtk3: { names: ['Agree'], roles: ['checkbox'] },
  gtk4: { names: ['Bold'], roles: ['togglebutton', 'button'] },
  qt5: TABS,
  qt6: TABS,
  swing: { names: ['Bold'], roles: ['togglebutton'] },
};

export async function run({
  say,
  only,
}: {
  readonly say: Say;
  /** Names of toolkits. */
  readonly only?: RegExp | undefined;
}): Promise<Report> {
  const figures: Figure[] = [];
  const looks = { without: 0, with: 0 };
  for (const kind of FIXTURE_KINDS) {
    if (only?.test(kind) === false) continue;
    say(kind);
    const stage = await setStage(kind);
    try {
      figures.push(
        ...(await clicks(kind, stage)),
        ...(await pointerAndKeyboard(kind, stage)),
        ...(await besideShared(kind, stage)),
      );
      for (const [task, steps] of Object.entries(TASKS)) {
        const app = String(stage.fixture.pid);
        await reset(stage);
        const lookingAlways = await drive(stage.engine, app, steps, false);
        await reset(stage);
        const withReceipts = await drive(stage.engine, app, steps, true);
        looks.without += lookingAlways.snapshots;
        looks.with += withReceipts.snapshots;
        figures.push(
          compared(
            `${kind}: snapshots to ${task}`,
            withReceipts.snapshots,
            lookingAlways.snapshots,
            'snapshots',
          ),
          compared(`${kind}: tokens read to ${task}`, withReceipts.tokens, lookingAlways.tokens, 'tokens'),
        );
      }
    } finally {
      await stage.end();
    }
  }
  const saved = rounded(100 * (1 - looks.with / looks.without));
  // Without a toolkit, as with `--only kcalc`, there is none.
  if (looks.without > 0)
    figures.push({
      what: 'fewer snapshots with receipts, all tasks',
      value: saved,
      unit: '%',
      goal: `>= ${GOAL_PERCENT}`,
      met: saved >= GOAL_PERCENT,
    });
  figures.push(...(await runActs(say, only)));
  return { name: 'act', figures };
}

/**
 * Clicks in turn on elements whose own state tells the effect, and that this toolkit lets us click through accessibility. A button that changes a
 * label may also be watched for a second, in case the label ticks.
 */
async function clicks(kind: FixtureKind, stage: Stage): Promise<Figure[]> {
  const timed = await TimedEngine.on(stage.desktop);
  const { names, roles } = CLICKED[kind];
  const refs: string[] = [];
  for (const name of names) refs.push(await refOf(timed.engine, stage, name, roles));
  const times: ActTimes[] = [];
  for (const ref of refs) await timed.click(ref);
  for (let turn = 0; turn < CLICKS / refs.length; turn++)
    for (const ref of refs) times.push(await timed.click(ref));
  const all = (part: keyof ActTimes): number[] => times.map((one) => one[part]);
  const floor = median(all('act'));
  return [
    {
      ...timeOf(`${kind}: click in the background, p50`, median(all('total'))),
      baseline: rounded(floor, 2),
      ratio: rounded(median(all('total')) / floor, 1),
      note: 'compared with the bare call, which proves nothing',
    },
    timeOf(`${kind}: click in the background, p95`, percentile(all('total'), 0.95)),
    ...(['resolve', 'act', 'settle', 'diff'] as const).map((part) =>
      timeOf(`${kind}: of it ${part}, p50`, median(all(part))),
    ),
  ];
}

async function pointerAndKeyboard(
  kind: FixtureKind,
  { engine, fixture, ...stage }: Stage,
): Promise<Figure[]> {
  const on = { engine, fixture, ...stage };
  const bold = await refOf(engine, on, 'Bold', ['togglebutton', 'checkbox', 'button']);
  const name = await refOf(engine, on, 'Name', ['textbox']);
  const empty = (): Promise<unknown> =>
    fixture.control('set', { widget: 'name', property: 'text', value: '' });
  const type = (mode: 'background' | 'focus') => (): Promise<unknown> =>
    engine.type({ ...CALLS, ref: name, text: LETTERS, delayMs: 0, clearFirst: false, mode });
  const pointer = await timesOf(() => engine.click({ ...CALLS, ref: bold, mode: 'pointer' }));
  const inserted = await timesOf(type('background'), empty);
  const typed = await timesOf(type('focus'), empty);
  return [
    timeOf(`${kind}: click with the pointer, p50`, median(pointer)),
    timeOf(`${kind}: click with the pointer, p95`, percentile(pointer, 0.95)),
    timeOf(`${kind}: 100 characters through accessibility, p50`, median(inserted)),
    timeOf(`${kind}: 100 characters with the keyboard, p50`, median(typed)),
    timeOf(`${kind}: 100 characters with the keyboard, p95`, percentile(typed, 0.95)),
  ];
}

/** The same acts with the keyboard and the pointer of the user and with our own ones, in turn. */
async function besideShared(kind: FixtureKind, stage: Stage): Promise<Figure[]> {
  const { fixture } = stage;
  const desktop = new LinuxDesktop(stage.place.environment, undefined, { seatRule: () => undefined });
  try {
    const shared = await createEngine({ desktop, session: memoryStore(), clock: createClock() });
    const own = shared.onOwnSeat({ isRequired: true });
    const on = { engine: shared, fixture };
    const bold = await refOf(shared, on, 'Bold', ['togglebutton', 'checkbox', 'button']);
    const name = await refOf(shared, on, 'Name', ['textbox']);
    const acts = {
      'click with the pointer': (engine: Stage['engine']) =>
        engine.click({ ...CALLS, ref: bold, mode: 'pointer' }),
      '100 characters with the keyboard': async (engine: Stage['engine']) => {
        await engine.type({
          ...CALLS,
          ref: name,
          text: LETTERS,
          delayMs: 0,
          clearFirst: false,
          mode: 'focus',
        });
      },
    };
    const empty = (): Promise<unknown> =>
      fixture.control('set', { widget: 'name', property: 'text', value: '' });
    const figures: Figure[] = [];
    for (const [what, act] of Object.entries(acts)) {
      const times: Record<'shared' | 'own', number[]> = { shared: [], own: [] };
      // The first ones of a seat make it, and ask the application for its habits.
      for (const engine of [shared, own]) {
        await empty();
        await act(engine);
      }
      for (let turn = 0; turn < GESTURES; turn++) {
        times.shared.push(...(await timesOf(() => act(shared), empty, 1)));
        times.own.push(...(await timesOf(() => act(own), empty, 1)));
      }
      const [value, baseline] = [median(times.own), median(times.shared)];
      figures.push({
        ...timeOf(`${kind}: ${what} of its own, p50`, value),
        baseline: rounded(baseline, 2),
        ratio: rounded(value / baseline, 2),
        beside: 'those of the user',
        goal: '<= 1',
        met: value <= baseline,
      });
    }
    return figures;
  } finally {
    await desktop.close();
  }
}

async function timesOf(
  work: () => Promise<unknown>,
  before: () => Promise<unknown> = async () => undefined,
  turns = GESTURES,
): Promise<number[]> {
  const times: number[] = [];
  for (let turn = 0; turn < turns; turn++) {
    await before();
    const began = performance.now();
    await work();
    times.push(performance.now() - began);
    // Input that the application has not handled yet would delay the next measurement.
    await sleep(REST_MS);
  }
  return times;
}

async function refOf(
  engine: Stage['engine'],
  { fixture }: Pick<Stage, 'fixture'>,
  name: string,
  roles: readonly Role[],
): Promise<string> {
  const { matches } = await engine.find({
    ...CALLS,
    app: String(fixture.pid),
    query: name,
    by: 'exact',
    limit: 10,
    wholeTree: false,
  });
  const found = matches.find(({ role, ref }: OutputNode) => ref !== undefined && roles.includes(role));
  if (found?.ref === undefined) throw new Error(`no ${roles.join(' or ')} ${name}`);
  return found.ref;
}

async function reset({ fixture }: Stage): Promise<void> {
  for (const [widget, property, value] of [
    ['name', 'text', 'before'],
    ['notes', 'text', ''],
    ['agree', 'checked', false],
    ['colour', 'selected', 'red'],
    ['volume', 'value', 30],
    ['count', 'value', 5],
    ['bold', 'checked', false],
    ['fruits', 'selected', 'Apple'],
  ] as const)
    await fixture.control('set', { widget, property, value });
}

function timeOf(what: string, value: number): Figure {
  return { what, value: rounded(value), unit: 'ms' };
}

function compared(what: string, ours: number, without: number, unit: string): Figure {
  return { what, value: ours, unit, baseline: without, ratio: rounded(ours / without, 2) };
}
