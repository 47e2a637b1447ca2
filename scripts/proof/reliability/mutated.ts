import { setTimeout as sleep } from 'node:timers/promises';
import type { FixtureEvent } from '../../../fixtures/driver.ts';
import { DEADLINE, type Bench } from './bench.ts';
import { toldBy } from './commands.ts';
import { pick, someText, type Random } from './random.ts';
import type { Attempt, Judged } from './verdict.ts';

/** The button "Odd" has an odd name at first; here it gets one that can be searched for. */
const BUTTONS = { press: 'Press', odd: 'Odd', enable_later: 'Enable later' } as const;
const CHECKS = { agree: 'Agree', size_medium: 'Medium' } as const;
const LABELS = { ...BUTTONS, ...CHECKS } as const;
type Labelled = keyof typeof LABELS;
const LABELLED = Object.keys(LABELS).filter((id): id is Labelled => id in LABELS);
const FIELDS = ['name', 'notes'] as const;
const FRUITS = ['Apple', 'Banana', 'Cherry', 'Date'];
/** Approximate time from a request to its answer. */
const DURING_MS = 500;

/** Random changes in the window and around it, before and during an act. */
class Disorder {
  readonly on: Bench;
  readonly random: Random;
  /** Every label that each widget has had since the act began. */
  readonly labels = new Map<string, Set<string>>();
  mutations = 0;

  constructor(on: Bench, random: Random) {
    this.on = on;
    this.random = random;
    for (const id of LABELLED) this.labels.set(id, new Set([LABELS[id]]));
  }

  /** The widgets that had a label at any time. */
  bearersOf(label: string): string[] {
    return [...this.labels].flatMap(([id, names]) => (names.has(label) ? [id] : []));
  }

  async mutate(): Promise<void> {
    this.mutations++;
    const { on, random } = this;
    const one = pick(random, LABELLED);
    const other = pick(random, LABELLED);
    const kinds: readonly (() => Promise<unknown>)[] = [
      () => this.rename(one, pick(random, [LABELS[other], `${LABELS[one]} now`, someText(random)])),
      () => on.control('recreate', { widget: pick(random, [one, ...FIELDS]) }),
      // Radio buttons and buttons are in different boxes.
      async () => one !== other && on.control('swap', { widget: one, with: other }),
      async () => on.control('swap', { widget: 'name', with: 'notes' }),
      () => on.set(one, 'enabled', random() < 0.5),
      () => on.set(one, 'visible', random() < 0.5),
      () =>
        on.control('add_rows', { widget: 'fruits', n: 1, index: Math.floor(random() * 4), prefix: 'More' }),
      () => on.control('remove_rows', { widget: 'fruits', n: 1, index: Math.floor(random() * 4) }),
      () => on.control('swap', { widget: 'fruits', first: 0, second: 1 + Math.floor(random() * 3) }),
      () => on.control('set_title', { title: `${on.fixture.title}${random() < 0.5 ? '' : ' *'}` }),
      async () =>
        on.kind !== 'gtk4' &&
        on.control('window', {
          action: 'move',
          x: Math.floor(random() * 200),
          y: Math.floor(random() * 150),
        }),
      () => on.control('window', { action: 'resize', width: 940 + Math.floor(random() * 200), height: 720 }),
      () => on.cover.control('window', { action: 'raise' }),
      () => on.activate('Cover'),
    ];
    await pick(random, kinds)().catch(ignoreRefusal);
  }

  private async rename(id: Labelled, label: string): Promise<void> {
    this.labels.get(id)?.add(label);
    await this.on.control('rename', { widget: id, label });
  }
}

/** Restores everything that the next attempt needs. */
export async function putBack(on: Bench): Promise<void> {
  for (const id of LABELLED) {
    await on.control('rename', { widget: id, label: LABELS[id] });
    await on.set(id, 'visible', true);
    await on.set(id, 'enabled', true);
  }
  await on.control('set_title', { title: on.fixture.title });
  await on.set('name', 'text', '');
  on.forget();
  const rows = new Set(await Promise.all(Array.from({ length: 40 }, (_, row) => rowText(on, row))));
  for (const fruit of FRUITS)
    if (!rows.has(fruit)) {
      await on.control('add_rows', { widget: 'fruits', n: 1, index: 0 });
      await on.control('rename', { widget: 'fruits', index: 0, label: fruit });
    }
}

async function rowText(on: Bench, index: number): Promise<unknown> {
  const row = await on.control('get', { widget: 'fruits', index }).catch(() => undefined);
  return typeof row === 'object' && row !== null && 'text' in row ? row.text : undefined;
}

/** A fixture refuses the operations that it cannot carry out. */
function ignoreRefusal(error: unknown): void {
  if (!(error instanceof Error)) throw error;
}

interface Aim {
  readonly ref: string;
  readonly isLocator: boolean;
}

/** An act on an element while the window changes, with the widgets that may receive it. */
type MutatedAct = (disorder: Disorder) => Promise<Attempt>;

async function aimAt(disorder: Disorder, id: Labelled): Promise<Aim> {
  const { on, random } = disorder;
  const { role } = on.widget(id);
  const name = LABELS[id];
  if (random() < 0.5) return { ref: on.locator(role, name), isLocator: true };
  return { ref: await on.refOf(name, role), isLocator: false };
}

/** A reference means the widget it was assigned to; a locator means any widget that has the label during the search. */
function mayGet(disorder: Disorder, id: Labelled, { isLocator }: Aim): () => readonly string[] {
  return () => {
    const own = isLocator ? [id, ...disorder.bearersOf(LABELS[id])] : [id];
    return own.flatMap(toldBy);
  };
}

function onButton(
  ask: (on: Bench, ref: string, random: Random) => Attempt['act'],
  clicks: number,
): MutatedAct {
  return async (disorder) => {
    const id = pick(disorder.random, ['press', 'odd', 'enable_later'] as const);
    const aim = await aimAt(disorder, id);
    const mayTell = mayGet(disorder, id, aim);
    return {
      act: ask(disorder.on, aim.ref, disorder.random),
      mayTell,
      happened: (events) => count(events, 'clicked', mayTell()) === clicks,
      isHindered: true,
    };
  };
}

function count(events: readonly FixtureEvent[], event: string, widgets: readonly string[]): number {
  return events.filter((one) => one.event === event && widgets.includes(one.widget)).length;
}

const onField: MutatedAct = async ({ on, random }) => {
  const id = pick(random, FIELDS);
  const { role, name } = on.widget(id);
  const ref = random() < 0.5 ? on.locator(role, name) : await on.refOf(name, role);
  const text = someText(random);
  const mode = pick(random, ['background', 'focus'] as const);
  const way = Math.floor(random() * 3);
  await on.set(id, 'text', '');
  return {
    act: () => {
      if (way === 0) return on.engine.setValue({ ...DEADLINE, ref, value: text, mode });
      return on.engine.type({ ...DEADLINE, ref, text, delayMs: way === 1 ? 0 : 20, clearFirst: false });
    },
    typed: text,
    mayTell: () => [id],
    // Text typed before its element was recreated was lost with the old one.
    happened: async (events) =>
      (await on.get(id)).text === text || events.some((one) => one.widget === id && one.value === text),
    isHindered: true,
  };
};

const onCheck: MutatedAct = async (disorder) => {
  const { on } = disorder;
  await on.set('agree', 'checked', false);
  await on.set('size_small', 'checked', true);
  const id = pick(disorder.random, ['agree', 'size_medium'] as const);
  const aim = await aimAt(disorder, id);
  const mayTell = mayGet(disorder, id, aim);
  return {
    act: () => on.engine.act({ ...DEADLINE, ref: aim.ref, act: 'toggle' }),
    mayTell,
    happened: (events) => count(events, 'toggled', mayTell()) > 0,
    isHindered: true,
  };
};

const onRow: MutatedAct = async ({ on, random }) => {
  const fruit = pick(random, FRUITS);
  await on.set('fruits', 'selected', null).catch(ignoreRefusal);
  const ref = random() < 0.5 ? on.locator('listitem', fruit) : await on.refOf(fruit, 'listitem');
  const mode = random() < 0.5 ? ('background' as const) : ('pointer' as const);
  return {
    act: () => on.engine.select({ ...DEADLINE, ref, mode }),
    // Another row of the list is another element, although one widget records both.
    mayTell: () => ['fruits'],
    happened: (events) => events.some(({ event, value }) => event === 'selected' && value === fruit),
    isHindered: true,
    isStranger: ({ event, value }) => event === 'selected' && value !== null && value !== fruit,
  };
};

const onSlider: MutatedAct = async ({ on }) => {
  await on.set('volume', 'value', 0);
  const ref = await on.ref('volume');
  const { node } = await on.engine.describe({ ...DEADLINE, ref });
  const { x, y, width, height } = node.bounds ?? { x: 0, y: 0, width: 0, height: 0 };
  const to = { point: { x: x + width - 10, y: y + Math.floor(height / 2) } };
  return {
    act: () => on.engine.drag({ ...DEADLINE, from: { ref }, to, durationMs: 300 }),
    mayTell: () => ['volume'],
    happened: async () => Number((await on.get('volume')).value) > 0,
    isHindered: true,
  };
};

const ACTS: readonly (readonly [weight: number, act: MutatedAct])[] = [
  [3, onButton((on, ref) => () => on.engine.click({ ...DEADLINE, ref, mode: 'background' }), 1)],
  [3, onButton((on, ref) => () => on.engine.click({ ...DEADLINE, ref, mode: 'pointer' }), 1)],
  [1, onButton((on, ref) => () => on.engine.gesture({ ...DEADLINE, ref, gesture: 'double-click' }), 2)],
  [3, onField],
  [2, onCheck],
  [2, onRow],
  [1, onSlider],
];
const WEIGHTED = ACTS.flatMap(([weight, act]) => Array.from({ length: weight }, () => act));

/** One act, with changes between the read and the act, and during the act. */
export async function actInDisorder(
  on: Bench,
  random: Random,
): Promise<{ readonly judged: Judged; readonly mutations: number }> {
  const disorder = new Disorder(on, random);
  await putBack(on);
  const attempt = await pick(random, WEIGHTED)(disorder);
  const before = Math.floor(random() * 4);
  for (let index = 0; index < before; index++) await disorder.mutate();
  const during = Math.floor(random() * 3);
  const later = Array.from({ length: during }, async () => {
    await sleep(random() * DURING_MS);
    await disorder.mutate();
  });
  const judged = await on.attempt({
    ...attempt,
    act: async () => {
      try {
        return await attempt.act();
      } finally {
        await Promise.all(later);
      }
    },
  });
  return { judged, mutations: disorder.mutations };
}
