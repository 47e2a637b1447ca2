import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { FIXTURE_KINDS } from '../../fixtures/driver.ts';
import { usePlace } from './harness.ts';
import { flatten, ListedWindows, Snapshot } from './support/answers.ts';
import { useFixtures, type Bench } from './support/fixtures.ts';
import { until } from '../until.ts';

const place = usePlace();
const bench = useFixtures(place);
const State = z.object({ text: z.string().nullish(), checked: z.unknown() });

async function stateOf(app: Bench, widget: string): Promise<z.output<typeof State>> {
  return State.parse(await app.fixture.control('get', { widget }));
}

/** Runs one act and returns the reply with the events that the application recorded for the widget. */
async function perform(app: Bench, act: string, ref: string, widget: string) {
  const { result: reply, events } = await app.recording(() => app.desk(act, ref, '--mode', 'background'));
  return { reply, told: events.filter((event) => event.widget === widget) };
}

async function activeTitle(): Promise<string | undefined> {
  const { windows } = (await place().desk(['list-windows'])).ok(ListedWindows);
  return windows.find(({ focused }) => focused)?.title;
}

/** Brings a fixture's window to the front, so that it is active and covers the others. */
async function activate(app: Bench): Promise<void> {
  const { windows } = (await app.desk('list-windows', '--app', app.app)).ok(ListedWindows);
  const id = windows.find(({ title }) => title === app.fixture.title)?.id.replace('x11:', '') ?? '';
  await place().run('xdotool', ['windowactivate', id]);
  await until(async () => (await activeTitle()) === app.fixture.title, `${app.kind} to be active`);
}

/** The reference of the folder "Documents" in the tree. */
async function folder(app: Bench): Promise<string> {
  await app.set('tabs', 'selected', 'Advanced');
  const { tree } = (await app.desk('snapshot', '--app', app.app, '--max-tokens', '8000')).ok(Snapshot);
  // Rows of GTK 4 have no name; their expander is called "Expand".
  const name = app.kind === 'gtk4' ? 'Expand' : 'Documents';
  const ref = flatten(tree).find((node) => node.name === name)?.ref;
  if (ref === undefined) throw new Error(`no ${name} in ${app.kind}`);
  return ref;
}

describe.each(FIXTURE_KINDS)('%s', (kind) => {
  it('does not toggle a button', async () => {
    const app = bench(kind);
    const { reply, told } = await perform(app, 'toggle', await app.ref('press'), 'press');
    expect(reply.error('ACTION_NOT_SUPPORTED')).toMatchObject({ delivered: false });
    expect(told).toEqual([]);
  });

  it.for(['name', 'notes'] as const)('%s is emptied, and left alone when it is empty', async (widget) => {
    const app = bench(kind);
    await app.set(widget, 'text', 'before');
    const ref = await app.ref(widget);
    const first = await perform(app, 'clear', ref, widget);
    expect(first.reply.receipt).toMatchObject({ effect: 'confirmed', delivered: true });
    expect((await stateOf(app, widget)).text ?? '').toBe('');
    const again = await perform(app, 'clear', ref, widget);
    expect(again.reply.receipt).toMatchObject({ effect: 'confirmed', delivered: false });
    expect(again.told).toEqual([]);
  });

  it('clears a password without showing it', async () => {
    const app = bench(kind);
    await app.set('password', 'text', 'correct-horse');
    const { reply } = await perform(app, 'clear', await app.ref('password'), 'password');
    expect(['confirmed', 'unverified']).toContain(reply.receipt.effect);
    expect((await stateOf(app, 'password')).text ?? '').toBe('');
    expect(reply.stdout + reply.stderr).not.toContain('correct-horse');
  });

  it('does not clear a number', async () => {
    const app = bench(kind);
    const reply = await app.desk('clear', await app.ref('volume'));
    expect(reply.error('ACTION_NOT_SUPPORTED')).toMatchObject({ delivered: false });
  });

  it('operates a covered window without changing the active window', async () => {
    const app = bench(kind);
    const cover = bench(kind === 'gtk3' ? 'qt6' : 'gtk3');
    await app.set('name', 'text', 'before');
    const [box, name] = [await app.ref('agree'), await app.ref('name')];
    await activate(cover);
    await app.desk('toggle', box, '--mode', 'background');
    expect((await app.desk('clear', name, '--mode', 'background')).receipt.effect).toBe('confirmed');
    expect((await stateOf(app, 'name')).text ?? '').toBe('');
    expect(await activeTitle()).toBe(cover.fixture.title);
  });
});

/** The same in any mode; Qt has no action that does what a click does. */
async function toggle(app: Bench, ref: string, widget: string) {
  if (app.kind === 'gtk3') return perform(app, 'toggle', ref, widget);
  const { result: reply, events } = await app.recording(() => app.desk('toggle', ref));
  return { reply, told: events.filter((each) => each.widget === widget && each.event !== 'focus-in') };
}

describe.each(['gtk3', 'qt5', 'qt6'] as const)('%s, which accepts these requests', (kind) => {
  it('toggles a check box back and forth', async () => {
    const app = bench(kind);
    await app.set('agree', 'checked', false);
    const ref = await app.ref('agree');
    for (const wanted of [true, false]) {
      const { reply, told } = await toggle(app, ref, 'agree');
      expect(reply.receipt).toMatchObject({ effect: 'confirmed', delivered: true });
      expect(told).toMatchObject([{ event: 'toggled', value: wanted }]);
    }
    expect((await stateOf(app, 'agree')).checked).toBe(false);
  });

  it('sends nothing to a radio button that is on already', async () => {
    const app = bench(kind);
    await app.set('size_small', 'checked', true);
    const ref = await app.ref('size_medium');
    const first = await toggle(app, ref, 'size_medium');
    expect(first.reply.receipt.effect).toBe('confirmed');
    expect(first.told).toMatchObject([{ event: 'toggled', value: true }]);
    const again = await toggle(app, ref, 'size_medium');
    expect(again.reply.receipt).toMatchObject({ effect: 'confirmed', delivered: false });
    expect(again.reply.receipt.evidence).toContain('already');
    expect(again.told).toEqual([]);
  });

  it('gives the focus in the active window', async () => {
    const app = bench(kind);
    const [name, notes] = [await app.ref('name'), await app.ref('notes')];
    await activate(app);
    await app.desk('focus', notes);
    const { reply, told } = await perform(app, 'focus', name, 'name');
    expect(reply.receipt).toMatchObject({ effect: 'confirmed', delivered: true });
    expect(told).toMatchObject([{ event: 'focus-in' }]);
    const again = await perform(app, 'focus', name, 'name');
    expect(again.reply.receipt).toMatchObject({ effect: 'confirmed', delivered: false });
    expect(again.told).toEqual([]);
  });
});

it.for(['qt5', 'qt6'] as const)(
  'does not toggle in the background what %s would not report',
  async (kind) => {
    const app = bench(kind);
    for (const widget of ['agree', 'size_small', 'bold']) {
      const { reply, told } = await perform(app, 'toggle', await app.ref(widget), widget);
      expect(reply.error('ACTION_NOT_SUPPORTED')).toMatchObject({ delivered: false });
      expect(told).toEqual([]);
    }
  },
);

it('reports that GTK 4 offers no action to toggle or to focus', async () => {
  const app = bench('gtk4');
  for (const [act, widget] of [
    ['toggle', 'agree'],
    ['toggle', 'size_medium'],
    ['focus', 'name'],
  ] as const) {
    const { reply, told } = await perform(app, act, await app.ref(widget), widget);
    expect(reply.error('ACTION_NOT_SUPPORTED').delivered).toBe(false);
    expect(told).toEqual([]);
  }
});

it.for(['gtk4', 'qt5', 'qt6'] as const)('%s offers no way to expand a folder', async (kind) => {
  const app = bench(kind);
  try {
    const { reply, told } = await perform(app, 'expand', await folder(app), 'files');
    expect(reply.error('ACTION_NOT_SUPPORTED').delivered).toBe(false);
    expect(told).toEqual([]);
  } finally {
    await app.set('tabs', 'selected', 'General');
  }
});

it('expands and collapses a folder of GTK 3', async () => {
  const app = bench('gtk3');
  const ref = await folder(app);
  try {
    const opened = await perform(app, 'expand', ref, 'files');
    expect(opened.reply.receipt).toMatchObject({ effect: 'confirmed', delivered: true });
    expect(opened.told).toMatchObject([{ event: 'expanded', value: 'Documents' }]);
    const again = await perform(app, 'expand', ref, 'files');
    expect(again.reply.receipt).toMatchObject({ effect: 'confirmed', delivered: false });
    expect(again.told).toEqual([]);
    const closed = await perform(app, 'collapse', ref, 'files');
    expect(closed.reply.receipt).toMatchObject({ effect: 'confirmed', delivered: true });
    expect(closed.told).toMatchObject([{ event: 'collapsed', value: 'Documents' }]);
  } finally {
    await app.set('tabs', 'selected', 'General');
  }
});

it.for(['qt5', 'qt6'] as const)('%s opens a folder by its arrow, and selects nothing', async (kind) => {
  const app = bench(kind);
  const ref = await folder(app);
  try {
    for (const [act, event] of [
      ['expand', 'expanded'],
      ['collapse', 'collapsed'],
    ] as const) {
      const { result, events } = await app.recording(() => app.desk(act, ref));
      expect(result.receipt).toMatchObject({ effect: 'confirmed' });
      expect(result.receipt.via).toContain('pointer:left button');
      const told = events.filter((one) => one.widget === 'files' && one.event !== 'focus-in');
      expect(told).toMatchObject([{ event, value: 'Documents' }]);
    }
  } finally {
    await app.set('tabs', 'selected', 'General');
  }
});

it('reports that GTK 3 activates the window with the focus', async () => {
  const app = bench('gtk3');
  const ref = await app.ref('search');
  await activate(bench('qt6'));
  const { receipt } = await app.desk('focus', ref);
  expect(receipt).toMatchObject({ effect: 'confirmed' });
  expect(receipt.via).toContain('activates the window');
  expect(await activeTitle()).toBe(app.fixture.title);
});

it.for(['qt5', 'qt6'] as const)('%s gives no focus in a window that is not active', async (kind) => {
  const app = bench(kind);
  const ref = await app.ref('notes');
  await activate(bench('gtk3'));
  const { reply, told } = await perform(app, 'focus', ref, 'notes');
  expect(reply.error('ACTION_FAILED')).toMatchObject({ delivered: true });
  expect(reply.receipt.effect).toBe('no_op');
  expect(told).toEqual([]);
  expect(await activeTitle()).toBe(bench('gtk3').fixture.title);
});

it('opens and closes a combo box of Qt 6', async () => {
  const app = bench('qt6');
  const ref = await app.ref('colour');
  await activate(app);
  const opened = await app.desk('expand', ref);
  expect(opened.receipt).toMatchObject({ effect: 'confirmed', delivered: true });
  expect((await app.desk('is', 'expanded', ref)).exitCode).toBe(0);
  const closed = await app.desk('collapse', ref);
  expect(closed.receipt).toMatchObject({ delivered: true });
  expect((await app.desk('is', 'expanded', ref)).exitCode).toBe(1);
});

it('a toggle button of GTK 4, which has the role of a button, is confirmed by its own state', async () => {
  const app = bench('gtk4');
  await app.set('bold', 'checked', false);
  for (const after of ['pressed', 'none']) {
    const { reply, told } = await perform(app, 'click', await app.ref('bold'), 'bold');
    expect(reply.receipt).toMatchObject({ effect: 'confirmed' });
    expect(reply.toString()).toContain(`to ${after}`);
    expect(told).toHaveLength(1);
  }
});
