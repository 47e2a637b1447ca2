import { z } from 'zod';
import { FIXTURE_KINDS, type FixtureKind } from '../../fixtures/driver.ts';
import { DeskterityError } from '../../src/model/effects/errors.ts';
import type { OutputNode } from '../../src/model/tree/node.ts';
import { repeat, seededRandom, type ProofOptions, type ProofRow } from './row.ts';
import { setStage, type Stage } from './stage.ts';

const MUTATIONS = 1000;
const REF_TRIALS = 250;
const FREEZES = 20;
const DEADLINE = { deadlineMs: 5000 };
const SEED = 20_261_121;

const WidgetState = z.object({
  text: z.string().nullish(),
  value: z.unknown(),
  checked: z.unknown(),
  enabled: z.boolean().optional(),
  label: z.string().nullish(),
});

/** What reading promises, counted on the four fixture applications. Their own state is the oracle, never our answer. */
export async function proveOnFixtures({ say, repeats }: ProofOptions): Promise<ProofRow[]> {
  const rows: ProofRow[] = [];
  for (const kind of FIXTURE_KINDS) {
    const stage = await setStage(kind);
    try {
      rows.push(await everyChangeIsRead(kind, stage, repeats ?? MUTATIONS, say));
      rows.push(await refsNameTheirElement(kind, stage, repeats ?? REF_TRIALS, say));
      rows.push(await aFreezeCostsItsDeadline(kind, stage, Math.min(repeats ?? FREEZES, FREEZES), say));
    } finally {
      await stage.end();
    }
  }
  return rows;
}

type Mutation = (stage: Stage, random: () => number) => Promise<(window: readonly OutputNode[]) => void>;

/** Each changes one widget without our knowledge, and returns a check of what the next snapshot must show. */
const CHANGES: readonly Mutation[] = [
  async ({ fixture }, random) => {
    const label = `Press ${Math.floor(random() * 1e6)}`;
    await fixture.control('rename', { widget: 'press', label });
    return (nodes) => require(nodes, 'button', label);
  },
  async ({ fixture }, random) => {
    const text = `text ${Math.floor(random() * 1e6)} żółw`;
    await fixture.control('set', { widget: 'name', property: 'text', value: text });
    return (nodes) => expectEqual(require(nodes, 'textbox', 'Name').value, text);
  },
  async ({ fixture }, random) => {
    await fixture.control('set', { widget: 'volume', property: 'value', value: Math.floor(random() * 101) });
    const { value } = WidgetState.parse(await fixture.control('get', { widget: 'volume' }));
    return (nodes) => expectEqual(Number(require(nodes, 'slider', 'Volume').value), Number(value));
  },
  async ({ fixture }, random) => {
    const checked = random() < 0.5;
    await fixture.control('set', { widget: 'agree', property: 'checked', value: checked });
    return (nodes) =>
      expectEqual(require(nodes, 'checkbox', 'Agree').states?.includes('checked') ?? false, checked);
  },
  async ({ fixture }, random) => {
    const enabled = random() < 0.5;
    await fixture.control('set', { widget: 'later', property: 'enabled', value: enabled });
    return (nodes) =>
      expectEqual(!(require(nodes, 'button', 'Later').states?.includes('disabled') ?? false), enabled);
  },
  async ({ fixture }, random) => {
    const title = `Title ${Math.floor(random() * 1e6)}`;
    await fixture.control('set_title', { title });
    return (nodes) => require(nodes, 'window', title);
  },
];

async function everyChangeIsRead(
  kind: FixtureKind,
  stage: Stage,
  repeats: number,
  say: ProofOptions['say'],
): Promise<ProofRow> {
  const random = seededRandom(SEED);
  return repeat(`${kind}: a change in the application is in the next snapshot`, repeats, say, async () => {
    const change = CHANGES[Math.floor(random() * CHANGES.length)];
    if (!change) throw new Error('no change');
    const check = await change(stage, random);
    check(await snapshot(stage));
  });
}

/** Gets references, changes the window at random, clicks one: the application's log must show that element or none. */
async function refsNameTheirElement(
  kind: FixtureKind,
  stage: Stage,
  repeats: number,
  say: ProofOptions['say'],
): Promise<ProofRow> {
  const random = seededRandom(SEED + 1);
  const { fixture, engine } = stage;
  await fixture.control('rename', { widget: 'press', label: 'Press' });
  const buttons = { press: 'Press', enable_later: 'Enable later', odd: '' } as const;
  return repeat(`${kind}: a reference acts on its element or on none`, repeats, say, async () => {
    const before = await snapshot(stage);
    const press = require(before, 'button', 'Press');
    if (press.ref === undefined) throw new Error('the button has no ref');
    await disturb(stage, random, Object.keys(buttons));
    const known = (await fixture.events()).length;
    const failed = await engine.click({ ref: press.ref, deadlineMs: 3000 }).then(
      () => undefined,
      (error: unknown) => error,
    );
    if (failed !== undefined && !(failed instanceof DeskterityError)) throw failed;
    const clicked = (await fixture.events()).slice(known).filter((event) => event.event === 'clicked');
    const wrong = clicked.filter((event) => event.widget !== 'press');
    if (wrong.length > 0)
      throw new Error(`clicked ${wrong.map((event) => event.widget).join(', ')} instead of press`);
    if (failed === undefined && clicked.length !== 1)
      throw new Error(`${clicked.length} clicks, although the answer was not an error`);
    if (failed instanceof DeskterityError && clicked.length > 0 && failed.delivered === false)
      throw new Error('reported "not delivered", but it was clicked');
  });
}

async function disturb({ fixture }: Stage, random: () => number, widgets: readonly string[]): Promise<void> {
  const pick = (): string => widgets[Math.floor(random() * widgets.length)] ?? 'press';
  const choice = Math.floor(random() * 4);
  if (choice === 0) await fixture.control('recreate', { widget: pick() });
  else if (choice === 1) {
    const [first, second] = [pick(), pick()];
    if (first !== second) await fixture.control('swap', { widget: first, with: second });
  } else if (choice === 2)
    await fixture.control('set', { widget: 'later', property: 'visible', value: random() < 0.5 });
  // Otherwise nothing changes: the plain case must work too.
}

async function aFreezeCostsItsDeadline(
  kind: FixtureKind,
  stage: Stage,
  repeats: number,
  say: ProofOptions['say'],
): Promise<ProofRow> {
  const { fixture, desktop } = stage;
  return repeat(`${kind}: a frozen application costs its deadline and no more`, repeats, say, async () => {
    const [window] = await desktop.listWindows({ ...DEADLINE, pid: fixture.pid });
    if (!window?.root) throw new Error('no window');
    await fixture.control('freeze_ms', { ms: 700 });
    await new Promise((resolve) => setTimeout(resolve, 30));
    const started = performance.now();
    const outcome = await desktop
      .readTree({
        root: window.root,
        wholeTree: false,
        mirrored: true,
        maxNodes: 20_000,
        includeActions: false,
        deadlineMs: 300,
      })
      .catch((error: unknown) => error);
    const took = performance.now() - started;
    await new Promise((resolve) => setTimeout(resolve, 800));
    if (!(outcome instanceof DeskterityError) || outcome.code !== 'APP_UNRESPONSIVE')
      throw new Error(`answered ${JSON.stringify(outcome)}`);
    if (took > 450) throw new Error(`took ${Math.round(took)} ms for a deadline of 300 ms`);
  });
}

async function snapshot({ engine, fixture }: Stage): Promise<OutputNode[]> {
  const { tree, complete, incompleteReasons } = await engine.snapshot({
    ...DEADLINE,
    app: String(fixture.pid),
    includeBounds: false,
    includeActions: false,
    interactiveOnly: false,
    compact: false,
    wholeTree: false,
    mirrored: true,
    form: 'json',
  });
  if (!complete) throw new Error(`incomplete: ${incompleteReasons.join('; ')}`);
  return flatten(tree);
}

function flatten(node: OutputNode): OutputNode[] {
  return [node, ...(node.children ?? []).flatMap(flatten)];
}

function require(nodes: readonly OutputNode[], role: string, name: string): OutputNode {
  const found = nodes.find((node) => node.role === role && node.name === name);
  if (!found) throw new Error(`no ${role} ${JSON.stringify(name)}`);
  return found;
}

function expectEqual(actual: unknown, expected: unknown): void {
  if (actual !== expected)
    throw new Error(`read ${JSON.stringify(actual)} where the application has ${JSON.stringify(expected)}`);
}
