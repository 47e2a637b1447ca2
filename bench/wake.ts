/**
 * How long a waiter takes to learn of a change: from the moment at which the application recorded it to the reply over the daemon's socket. One
 * application per toolkit, which writes its own record; both clocks are the machine's.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { FIXTURE_KINDS, startFixture, type Fixture, type FixtureKind } from '../fixtures/driver.ts';
import { median, percentile, rounded, type Figure, type Report, type Say } from './support/figures.ts';
import { LineAsker } from './support/mcp-lines.ts';
import { Program, type Calls } from './support/program.ts';
import { Stage } from './support/stage.ts';

const CHANGES = 40;
const WARM_UP = 5;
const GOAL_MS = 10;
const CALL = { deadlineMs: 20_000 } as const;
const SESSION = 'default';
/** By then a waiter has looked once; not in step with its own pauses. */
const UNTIL_WAITING_MS = [150, 400] as const;
const WAIT_MS = 10_000;

type Input = Readonly<Record<string, string | number | boolean>>;

/** One condition: what makes it hold, and what the application records then. */
interface Condition {
  readonly name: string;
  readonly command: 'wait' | 'expect';
  readonly input: (turn: number, on: Target) => Input;
  /** Undoes the change before it. */
  readonly reset?: (fixture: Fixture, wait: Wait) => Promise<unknown>;
  readonly change: (turn: number, fixture: Fixture) => Promise<unknown>;
  readonly widget: string;
  readonly event: string;
}

interface Target {
  readonly app: string;
  readonly field: string;
}

type Wait = (command: Condition['command'], input: Input) => Promise<unknown>;

const textOf = (turn: number): string => `wake ${turn}`;
const enable =
  (value: boolean) =>
  (_: unknown, fixture: Fixture): Promise<unknown> =>
    fixture.control('set', { widget: 'press', property: 'enabled', value });
const PRESS = 'role:button[name="Press"]';
const okOf = (app: string): string => `app:${app} >> role:button[name*="OK"]`;
const write = (turn: number, fixture: Fixture): Promise<unknown> =>
  fixture.control('set', { widget: 'name', property: 'text', value: textOf(turn) });

const CONDITIONS: readonly Condition[] = [
  {
    name: 'a value, by reference',
    command: 'wait',
    input: (turn, { field }) => ({ value: field, is: textOf(turn) }),
    change: write,
    widget: 'name',
    event: 'text-changed',
  },
  {
    name: 'enabled again, by locator',
    command: 'expect',
    input: (_, { app }) => ({ ref: `app:${app} >> ${PRESS}`, enabled: true }),
    reset: (fixture) => enable(false)(0, fixture),
    change: enable(true),
    widget: 'press',
    event: 'enabled',
  },
  {
    name: 'a text in the window',
    command: 'wait',
    input: (turn, { app }) => ({ text: textOf(turn), app }),
    reset: (fixture) => fixture.control('set', { widget: 'name', property: 'text', value: '' }),
    change: write,
    widget: 'name',
    event: 'text-changed',
  },
  {
    name: 'a dialog gone, by locator',
    command: 'wait',
    input: (_, { app }) => ({ gone: okOf(app) }),
    reset: async (fixture, wait) => {
      await fixture.control('open_dialog');
      await wait('wait', { element: okOf(String(fixture.pid)), timeout_ms: WAIT_MS });
    },
    change: (_, fixture) => fixture.control('close_dialog', { response: 'ok' }),
    widget: 'dialog',
    event: 'dialog-closed',
  },
];

export async function run({
  say,
  only,
}: {
  readonly say: Say;
  /** Names of toolkits. */
  readonly only?: RegExp | undefined;
}): Promise<Report> {
  const stage = await Stage.start(say);
  try {
    say('building');
    const program = await Program.build();
    try {
      const figures: Figure[] = [];
      for (const kind of FIXTURE_KINDS) {
        if (only?.test(kind) === false) continue;
        say(kind);
        figures.push(...(await measure(kind, stage, program)));
      }
      return { name: 'wake', figures };
    } finally {
      await program.remove();
    }
  } finally {
    await stage.stop();
  }
}

async function measure(kind: FixtureKind, { desktop }: Stage, program: Program): Promise<Figure[]> {
  const user = await program.user(kind, desktop.environment);
  const fixture = await startFixture(kind, { environment: desktop.environment, ...CALL });
  try {
    const calls = await user.connect();
    try {
      return await figuresOf(kind, fixture, calls);
    } finally {
      await calls.close();
    }
  } finally {
    await user.stop();
    await fixture.stop();
  }
}

async function figuresOf(kind: FixtureKind, fixture: Fixture, calls: Calls): Promise<Figure[]> {
  const app = String(fixture.pid);
  const target = { app, field: await fieldOf(calls, app) };
  const figures: Figure[] = [];
  const direct: Wait = (command, input) => calls.call(SESSION, command, input);
  for (const condition of CONDITIONS) {
    figures.push(
      ...toFigures(`${kind}: ${condition.name}`, await delays(condition, { fixture, target }, direct)),
    );
  }
  const [first] = CONDITIONS;
  if (first === undefined) return figures;
  const stream = await calls.openMcp({
    toolsets: ['all'],
    isReadOnly: false,
    structured: 'always',
    session: SESSION,
  });
  const asker = new LineAsker(stream, stream, 'legacy');
  try {
    await asker.greet();
    const over = await delays(first, { fixture, target }, (command, input) =>
      asker.call(`desktop_${command}`, input),
    );
    figures.push(...toFigures(`${kind}: ${first.name}, over MCP`, over));
  } finally {
    await asker.close();
  }
  return figures;
}

/** Milliseconds from each change, as the application recorded it, to the reply. */
async function delays(
  { command, input, reset, change, widget, event }: Condition,
  { fixture, target }: { readonly fixture: Fixture; readonly target: Target },
  wait: Wait,
): Promise<number[]> {
  const found: number[] = [];
  for (let turn = 0; turn < WARM_UP + CHANGES; turn += 1) {
    await reset?.(fixture, wait);
    const [least, most] = UNTIL_WAITING_MS;
    const before = (await fixture.events()).length;
    const repliedAt = wait(command, { ...input(turn, target), timeout_ms: WAIT_MS }).then(
      () => performance.timeOrigin + performance.now(),
    );
    await sleep(least + Math.random() * (most - least));
    await Promise.all([change(turn, fixture), repliedAt]);
    const own = (await fixture.events()).slice(before);
    const recorded = own.findLast((each) => each.widget === widget && each.event === event);
    if (recorded === undefined) throw new Error(`${fixture.kind} recorded no ${event} of ${widget}.`);
    if (turn >= WARM_UP) found.push((await repliedAt) - recorded.time_ms);
  }
  return found;
}

const Found = z.object({ element: z.object({ ref: z.string() }) });

async function fieldOf(calls: Calls, app: string): Promise<string> {
  const element = `app:${app} >> role:textbox[name="Name"]`;
  const printed = await calls.call(SESSION, 'wait', { element, timeout_ms: WAIT_MS });
  return Found.parse(JSON.parse(printed)).element.ref;
}

function toFigures(what: string, samples: readonly number[]): Figure[] {
  const p95 = percentile(samples, 0.95);
  return [
    { what: `${what}, median of ${CHANGES}`, value: rounded(median(samples)), unit: 'ms' },
    {
      what: `${what}, p95`,
      value: rounded(p95),
      unit: 'ms',
      goal: `< ${GOAL_MS}`,
      met: p95 < GOAL_MS,
      note: `longest ${rounded(Math.max(...samples))} ms`,
    },
  ];
}
