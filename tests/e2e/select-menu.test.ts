import { describe, expect, it } from 'vitest';
import { FIXTURE_KINDS } from '../../fixtures/driver.ts';
import { usePlace } from './harness.ts';
import { Found, Is, ListedWindows } from './support/answers.ts';
import { useFixtures, type Bench } from './support/fixtures.ts';

const place = usePlace();
const bench = useFixtures(place);

/** Runs a command and returns the reply with the events that the application recorded for the widget. */
async function perform(app: Bench, widget: string, ...args: string[]) {
  const { result: reply, events } = await app.recording(() => app.desk(...args));
  return { reply, told: events.filter((event) => event.widget === widget && event.event !== 'focus-in') };
}

/** The reference of the only element of a role, whatever its name. */
async function only(app: Bench, role: string): Promise<string> {
  const reply = await app.desk('find', '--app', app.app, '--role', role);
  const [match, ...others] = reply.ok(Found).matches;
  if (match?.ref === undefined || others.length > 0) throw new Error(`not one ${role}: ${reply.toString()}`);
  return match.ref;
}

async function activeTitle(): Promise<string | undefined> {
  const { windows } = (await place().desk(['list-windows'])).ok(ListedWindows);
  return windows.find(({ focused }) => focused)?.title;
}

describe.each(FIXTURE_KINDS)('select in %s', (kind) => {
  it('switches to a tab and back, by name and by position, and raises the window only for the pointer', async () => {
    const app = bench(kind);
    const before = await activeTitle();
    // By hand, GTK 3 also selects the first row of the page's table, which only the pointer does.
    const isByPointer = kind === 'gtk3';
    const tabs = await only(app, 'tablist');
    const there = await perform(app, 'tabs', 'select', tabs, 'advanced');
    expect(there.reply.receipt).toMatchObject({ effect: 'confirmed', delivered: true });
    expect(there.told).toMatchObject([{ event: 'tab-changed', value: 'Advanced' }]);
    expect(there.reply.receipt.via.includes('pointer')).toBe(isByPointer);
    const back = await perform(app, 'tabs', 'select', tabs, '--by-index', '0');
    expect(back.reply.receipt).toMatchObject({ effect: 'confirmed' });
    expect(back.told).toMatchObject([{ event: 'tab-changed', value: 'General' }]);
    expect(await activeTitle()).toBe(isByPointer ? 'Deskterity fixture (GTK 3)' : before);
  });

  it('lists what is on the page that shows, and not what was there before', async () => {
    const app = bench(kind);
    const press = await app.ref('press');
    const isListed = async (name: string): Promise<boolean> =>
      (await app.desk('find', name, '--exact', '--app', app.app)).ok(Found).count > 0;
    await app.set('tabs', 'selected', 'Advanced');
    try {
      expect([await isListed('Press'), await isListed('Item 3')]).toEqual([false, true]);
      expect((await app.desk('is', 'visible', press)).ok(Is, 1).answer).toBe(false);
    } finally {
      await app.set('tabs', 'selected', 'General');
    }
    expect([await isListed('Press'), await isListed('Item 3')]).toEqual([true, false]);
    expect((await app.desk('is', 'visible', press)).ok(Is).answer).toBe(true);
  });

  it('selects a row of a list by its own reference, once', async () => {
    const app = bench(kind);
    const row = await app.refOf('Cherry', 'listitem');
    const { reply, told } = await perform(app, 'fruits', 'select', row);
    expect(reply.receipt).toMatchObject({ effect: 'confirmed', delivered: true, target: { ref: row } });
    expect(told).toMatchObject([{ event: 'selected', value: 'Cherry' }]);
    const again = await perform(app, 'fruits', 'select', row);
    expect(again.reply.receipt).toMatchObject({ effect: 'confirmed', delivered: false });
    expect(again.told).toEqual([]);
    const other = await perform(app, 'fruits', 'select', await app.refOf('Banana', 'listitem'));
    expect(other.told.at(-1)).toMatchObject({ event: 'selected', value: 'Banana' });
  });

  it('selects a row of a table and of a tree', async () => {
    const app = bench(kind);
    await app.set('tabs', 'selected', 'Advanced');
    try {
      for (const [widget, name] of [
        ['prices', 'Item 3'],
        ['files', 'Pictures'],
      ] as const) {
        const role = kind === 'gtk4' && widget === 'files' ? 'listitem' : 'cell';
        const { reply, told } = await perform(app, widget, 'select', await app.refOf(name, role));
        expect(reply.receipt).toMatchObject({ effect: 'confirmed', delivered: true });
        expect(reply.receipt.evidence[0]).toContain('selected');
        expect(told.at(-1)).toMatchObject({ event: 'selected', value: name });
      }
    } finally {
      await app.set('tabs', 'selected', 'General');
    }
  });
});

// GTK 4, where tabs have no names.
it('lists the options instead of guessing', async () => {
  const app = bench('gtk4');
  const tabs = await only(app, 'tablist');
  const none = (await app.desk('select', tabs, 'Nowhere')).error('ELEMENT_NOT_FOUND');
  expect(none.candidates?.map(({ name }) => name)).toEqual(['General', 'Advanced', 'About', 'Many rows']);
  const several = (await app.desk('select', tabs, 'a')).error('AMBIGUOUS_TARGET');
  expect(several.candidates).toHaveLength(4);
  expect((await app.desk('select', tabs)).error('INVALID_ARGUMENT').delivered).toBe(false);
  const button = await app.ref('press');
  expect((await app.desk('select', button)).error('ACTION_NOT_SUPPORTED').delivered).toBe(false);
});

it('selects an option of a closed combo box of GTK 3', async () => {
  const app = bench('gtk3');
  await app.set('colour', 'selected', 'red');
  const { reply, told } = await perform(app, 'colour', 'select', await app.ref('colour'), 'BLUE');
  expect(reply.receipt).toMatchObject({ effect: 'confirmed', delivered: true });
  expect(told).toMatchObject([{ event: 'selected', value: 'blue' }]);
});

it.for(['gtk4', 'qt5', 'qt6'] as const)('a combo box of %s obeys no way, and is not asked', async (kind) => {
  const app = bench(kind);
  const { result: reply, events } = await app.recording(async () =>
    app.desk('select', await app.ref('colour'), 'blue', '--mode', 'background'),
  );
  expect(reply.error('ACTION_NOT_SUPPORTED').delivered).toBe(false);
  expect(events.filter(({ widget }) => widget === 'colour')).toEqual([]);
});

describe.each(['gtk3', 'qt5', 'qt6'] as const)('menu in %s', (kind) => {
  it('runs an item without opening the menu', async () => {
    const app = bench(kind);
    const { reply, told } = await perform(app, 'file_save', 'menu', 'file > _Save…', '--app', app.app);
    expect(reply.receipt).toMatchObject({ delivered: true, target: { role: 'menuitem', name: 'Save' } });
    expect(told).toMatchObject([{ event: 'menu-activated' }]);
  });

  it('toggles a check item and verifies it', async () => {
    const app = bench(kind);
    await app.set('edit_wrap', 'checked', false);
    const { reply, told } = await perform(app, 'edit_wrap', 'menu', 'Edit > Word wrap', '--app', app.app);
    // Qt sends no events for items in closed menus.
    const effect = kind === 'gtk3' ? 'confirmed' : 'unverified';
    expect(reply.receipt).toMatchObject({ effect, delivered: true });
    expect(reply.receipt.evidence[0]).toContain('checked');
    expect(told).toMatchObject([{ event: 'menu-activated', value: true }]);
  });

  it('leaves a disabled item alone, and lists the items if none has that name', async () => {
    const app = bench(kind);
    await app.set('file_open', 'enabled', false);
    try {
      const { reply, told } = await perform(app, 'file_open', 'menu', 'File > Open', '--app', app.app);
      expect(reply.error('NOT_ACTIONABLE').delivered).toBe(false);
      expect(told).toEqual([]);
    } finally {
      await app.set('file_open', 'enabled', true);
    }
    const none = (await app.desk('menu', 'File > Export', '--app', app.app)).error('ELEMENT_NOT_FOUND');
    expect(none.candidates?.map(({ name }) => name)).toEqual(['Open', 'Save', 'Quit']);
    const bar = (await app.desk('menu', 'Help > About', '--app', app.app)).error('ELEMENT_NOT_FOUND');
    expect(bar.candidates?.map(({ name }) => name)).toEqual(['File', 'Edit']);
    const whole = (await app.desk('menu', 'File', '--app', app.app)).error('INVALID_ARGUMENT');
    expect(whole.candidates).toHaveLength(3);
  });
});

it('runs an item of an open menu of GTK 4 as a click with the pointer does', async () => {
  const app = bench('gtk4');
  for (const mode of ['pointer', 'background']) {
    await app.desk('click', await app.refOf('File', 'menuitem'), '--mode', 'pointer');
    const save = await app.refOf('Save', 'menuitem');
    const { told } = await perform(app, 'file_save', 'click', save, '--mode', mode);
    expect([mode, told.map(({ event }) => event)]).toEqual([mode, ['menu-activated']]);
    const left = await app.desk('find', 'Save', '--app', app.app, '--role', 'menuitem', '--exact');
    expect([mode, left.ok(Found).matches]).toEqual([mode, []]);
  }
});

it('refuses the menu bar of GTK 4, which it cannot open', async () => {
  const app = bench('gtk4');
  const { reply, told } = await perform(app, 'file_save', 'menu', 'File > Save', '--app', app.app);
  expect(reply.error('ACTION_NOT_SUPPORTED').delivered).toBe(false);
  expect(told).toEqual([]);
});
