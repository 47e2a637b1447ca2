import { describe, expect, it } from 'vitest';
import { createEngine } from '../../src/engine/create-engine.ts';
import type { JournalRequest, JournalResult } from '../../src/engine/requests/reading.ts';
import type { JournalEntry } from '../../src/model/journal/entry.ts';
import { SimulatedDesktop } from '../simulated/simulated-desktop.ts';
import { SimulatedWorld, type SimulatedApp } from '../simulated/simulated-world.ts';
import { pressing } from './support/acting.ts';
import { MemoryStore } from './support/memory-store.ts';
import { app, DEADLINE, oneWindow, refOf, snapshot, windowWith } from './support/stage.ts';

/** Longer than what follows an act is in doubt. */
const BEYOND_DOUBT_MS = 1500;

const SLIDER = { id: 'slider', role: 'slider' as const, name: 'Volume', value: '3' };
const FIELD = {
  id: 'field',
  role: 'textbox' as const,
  name: 'Name',
  states: ['editable' as const],
  value: '',
};
const PASSWORD = {
  ...FIELD,
  id: 'password',
  name: 'Password',
  states: ['editable' as const, 'protected' as const],
};

async function settle(): Promise<void> {
  for (let turn = 0; turn < 30; turn++) await new Promise((resolve) => setImmediate(resolve));
}

async function scene(apps: SimulatedApp[]) {
  const world = new SimulatedWorld(apps);
  const desktop = new SimulatedDesktop(world);
  const open = async (sessionName: string) => {
    const session = new MemoryStore();
    const engine = await createEngine({
      desktop,
      session,
      clock: world.clock,
      sessionName,
      keepsJournal: true,
    });
    await settle();
    return engine;
  };
  const engine = await open('mine');
  const read = async (request: Partial<JournalRequest> = {}): Promise<JournalResult> => {
    const result = await engine.journal({ ...DEADLINE, ...request });
    if (result === undefined) throw new Error('no journal');
    return result;
  };
  const acting = async (work: () => Promise<unknown>): Promise<void> => {
    const fromMs = world.clock.now();
    await work();
    engine.noteAct('click', fromMs, world.clock.now());
  };
  return { world, desktop, engine, open, read, acting };
}

const briefly = ({ kind, by, what }: JournalEntry) => [kind, by, what];

describe('the journal', () => {
  it('tells a burst of changes of an element that was read, and needs no call for each of them', async () => {
    const { world, desktop, engine, read } = await scene(oneWindow([{ ...SLIDER }]));
    const { cursor } = await snapshot(engine);
    await world.clock.sleep(1);
    let calls = 0;
    const original = desktop.describe.bind(desktop);
    desktop.describe = (...given) => {
      calls += 1;
      return original(...given);
    };
    for (let value = 4; value <= 40; value++) world.change('app', 'slider', { value: String(value) });
    await world.clock.sleep(1);
    expect(calls).toBe(0);
    const { entries } = await read({ since: cursor });
    expect(entries.map(briefly)).toEqual([
      ['value_changed', 'application', '37 changes of value of slider "Volume", 3 → 40'],
    ]);
    expect(calls).toBe(1);
    expect(entries[0]?.ref).toMatch(/^@e\d+$/);
  });

  it('counts the replacement of a text once, of which GTK reports both halves', async () => {
    const label = { id: 'label', role: 'text' as const, name: 'Row 0' };
    const { world, engine, read } = await scene(oneWindow([label]));
    const { cursor } = await snapshot(engine);
    await world.clock.sleep(1);
    for (let change = 1; change <= 50; change++) {
      world.emit('app', 'label', 'text-changed', 'delete');
      world.emit('app', 'label', 'text-changed', 'insert');
    }
    world.emit('app', 'label', 'text-changed', 'insert');
    const { entries } = await read({ since: cursor });
    expect(entries.map(({ what }) => what)).toEqual([expect.stringMatching(/^51 changes of /)]);
  });

  it('tells after a cursor only what came after it, whatever answer issued it', async () => {
    const { world, engine, read } = await scene(oneWindow([{ ...SLIDER }]));
    await snapshot(engine);
    await world.clock.sleep(1);
    world.change('app', 'slider', { value: '4' });
    await world.clock.sleep(1);
    const { cursor } = await snapshot(engine);
    await world.clock.sleep(1);
    world.change('app', 'slider', { value: '5' });
    await world.clock.sleep(1);
    expect((await read({ since: cursor })).entries.map(briefly)).toEqual([
      ['value_changed', 'application', 'value of slider "Volume" changed, 4 → 5'],
    ]);
    expect((await read()).entries.map(briefly)).toEqual([
      ['value_changed', 'application', '2 changes of value of slider "Volume", 3 → 5'],
    ]);
    await expect(read({ since: 'c999' })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });

  it('calls what a receipt explains its own, and another session’s in that session', async () => {
    const button = pressing((on) => on.change('app', 'slider', { value: '40' }));
    const { world, engine, open, read, acting } = await scene(oneWindow([{ ...SLIDER }, button]));
    const other = await open('other');
    const ref = await refOf(engine, 'Go');
    await world.clock.sleep(BEYOND_DOUBT_MS);
    await acting(() => engine.click({ ...DEADLINE, ref }));
    const isValue = ({ kind }: JournalEntry) => kind === 'value_changed';
    expect((await read()).entries.find(isValue)).toMatchObject({ by: 'own', command: 'click' });
    const theirs = await other.journal(DEADLINE);
    expect(theirs?.entries.find(isValue)).toMatchObject({ by: 'other_session', command: 'click' });
  });

  it('does not call its own what happens during an act without having been changed by it', async () => {
    const apps = [
      ...oneWindow([pressing(() => undefined)]),
      app({
        id: 'b',
        name: 'Mixer',
        pid: 7,
        windows: [windowWith([{ ...SLIDER }], { id: 'wb', title: 'Mixer' })],
      }),
    ];
    const { world, engine, read, acting } = await scene(apps);
    await snapshot(engine, { app: 'Mixer' });
    const { tree } = await snapshot(engine, { app: 'Editor' });
    const ref = JSON.stringify(tree).match(/@e\d+/)?.[0] ?? '';
    await world.clock.sleep(BEYOND_DOUBT_MS);
    world.clock.after(1, () => world.change('b', 'slider', { value: '9' }));
    await acting(() => engine.click({ ...DEADLINE, ref }));
    expect((await read({ app: 'Mixer' })).entries.map(({ by }) => by)).toEqual(['unknown']);
  });

  it('tells the user by keys that the display saw', async () => {
    const { world, desktop, engine, read } = await scene(oneWindow([{ ...FIELD, accepts: 'text' }]));
    await snapshot(engine);
    desktop.input.pressByUser();
    world.change('app', 'field', { value: 'private' });
    await world.clock.sleep(BEYOND_DOUBT_MS);
    world.change('app', 'field', { value: 'computed' });
    const { entries } = await read();
    expect(entries.map(briefly)).toEqual([
      ['text_changed', 'user', 'text of textbox "Name" changed'],
      ['text_changed', 'application', 'text of textbox "Name" changed'],
    ]);
    expect(JSON.stringify(entries)).not.toMatch(/private|computed/);
  });

  it('calls a text its own beside keys of the user only if it is what the act wrote', async () => {
    const { world, desktop, engine, read, acting } = await scene(oneWindow([{ ...FIELD, accepts: 'text' }]));
    const ref = await refOf(engine, 'Name');
    const texts = async () =>
      (await read()).entries.filter(({ kind }) => kind === 'text_changed').map(({ by }) => by);
    await world.clock.sleep(BEYOND_DOUBT_MS);
    desktop.input.pressByUser();
    await acting(() => engine.setValue({ ...DEADLINE, ref, value: 'ours' }));
    expect(await texts()).toEqual(['own']);
    await world.clock.sleep(BEYOND_DOUBT_MS);
    const setValue = desktop.setValue.bind(desktop);
    desktop.setValue = async (node, text, options) => {
      desktop.input.pressByUser();
      const outcome = await setValue(node, text, options);
      world.change('app', 'field', { value: `${text}x` });
      return outcome;
    };
    await acting(() => engine.setValue({ ...DEADLINE, ref, value: 'more' }).catch(() => undefined));
    expect(await texts()).toEqual(['own', 'unknown']);
  });

  it.each([1, 60])(
    'does not call the key of the user its own that comes %i ms into its focus',
    async (atMs) => {
      const field = {
        ...FIELD,
        accepts: 'text' as const,
        onAct: {
          focus: (on: SimulatedWorld) => on.change('app', 'field', { states: ['editable', 'focused'] }),
        },
      };
      const { world, desktop, engine, read, acting } = await scene(oneWindow([field]));
      const ref = await refOf(engine, 'Name');
      await world.clock.sleep(BEYOND_DOUBT_MS);
      world.clock.after(atMs, () => {
        world.change('app', 'field', { value: 'p' });
        desktop.input.pressByUser();
      });
      await acting(() => engine.act({ ...DEADLINE, mode: 'background', ref, act: 'focus' }));
      await world.clock.sleep(BEYOND_DOUBT_MS);
      const texts = (await read()).entries.filter(({ kind }) => kind === 'text_changed');
      expect(texts.map(({ by }) => by)).toEqual(['unknown']);
    },
  );

  it('tells what a combo box or slider shows as its value, however its toolkit does', async () => {
    const shown = (id: string, name: string) => ({ id, role: 'text' as const, name });
    const world = await scene(
      oneWindow([
        { id: 'colour', role: 'combobox', name: 'Colour', value: 'red' },
        { id: 'size', role: 'combobox', name: 'Size', children: [shown('size-text', 'small')] },
        { id: 'volume', role: 'slider', name: 'Volume', children: [shown('volume-text', '3')] },
        { id: 'font', role: 'combobox', name: 'Font', states: ['editable'], value: 'Sans' },
      ]),
    );
    await snapshot(world.engine);
    await world.world.clock.sleep(1);
    world.world.change('app', 'size-text', { name: 'large' });
    world.world.change('app', 'volume-text', { name: '9' });
    world.world.change('app', 'colour', { name: 'green', value: 'green' });
    world.world.emit('app', 'colour', 'selection-changed', '');
    world.world.change('app', 'font', { name: 'typed by the user' });
    await world.world.clock.sleep(1);
    const { entries } = await world.read();
    expect(entries.map(briefly)).toEqual([
      ['value_changed', 'application', 'value of combobox "Size" changed, "small" → "large"'],
      ['value_changed', 'application', 'value of slider "Volume" changed, 3 → 9'],
      ['value_changed', 'application', 'value of combobox "Colour" changed, "red" → "green"'],
      ['name_changed', 'application', expect.not.stringContaining('typed')],
    ]);
    const size = await refOf(world.engine, 'Size');
    expect(entries[0]?.ref).toBe(size);
  });

  it('never has the text of a password, nor of a field that a secret was written into', async () => {
    const { engine, read, world } = await scene(
      oneWindow([
        { ...PASSWORD, accepts: 'text' },
        { ...SLIDER, id: 'pin', name: 'Pin', accepts: 'text' },
      ]),
    );
    const ref = await refOf(engine, 'Pin');
    await engine.setValue({ ...DEADLINE, ref, value: 'hunter2', withheld: true }).catch(() => undefined);
    world.change('app', 'pin', { value: 'hunter22' });
    world.change('app', 'password', { value: 'hunter23' });
    expect(JSON.stringify(await read())).not.toContain('hunter');
  });

  it('tells programs and windows that come and go, also if nobody reads them', async () => {
    const { world, read } = await scene(oneWindow([]));
    const other = app({
      id: 'o',
      name: 'Other',
      pid: 7,
      windows: [windowWith([], { id: 'wo', title: 'One' })],
    });
    world.apps.push(other);
    world.emit('o', 'wo-root', 'window-opened', '');
    await settle();
    other.windows.push(windowWith([], { id: 'wd', title: 'Ask', transientFor: 'wo' }));
    world.emit('o', 'wd-root', 'window-opened', '');
    await settle();
    world.apps.pop();
    world.emit('o', '', 'window-closed', '');
    await settle();
    expect((await read({ app: 'other' })).entries.map(briefly)).toEqual([
      ['app_started', 'application', 'application "Other" started'],
      ['window_opened', 'application', 'window "One" opened'],
      ['dialog_appeared', 'application', 'dialog "Ask" appeared'],
      ['window_closed', 'application', 'window "One" closed'],
      ['dialog_closed', 'application', 'dialog "Ask" closed'],
      ['app_exited', 'application', 'application "Other" exited'],
    ]);
    expect((await read({ kinds: ['dialog_appeared'] })).entries).toHaveLength(1);
    await expect(read({ app: 'Nobody' })).rejects.toMatchObject({ code: 'APP_NOT_FOUND' });
  });

  it('is read by the alias of an application, and goes on naming that process when it has ended', async () => {
    const { world, engine, read } = await scene(oneWindow([]));
    const other = app({
      id: 'o',
      name: 'Other',
      pid: 7,
      windows: [windowWith([], { id: 'wo', title: 'One' })],
    });
    world.apps.push(other);
    world.emit('o', 'wo-root', 'window-opened', '');
    await settle();
    await engine.connect({ ...DEADLINE, app: 'Other', alias: 'left' });
    const opened = ['app_started', 'window_opened'];
    expect((await read({ app: 'left' })).entries.map(({ kind }) => kind)).toEqual(opened);
    world.apps.pop();
    world.emit('o', '', 'window-closed', '');
    await settle();
    const ended = ['window_closed', 'app_exited'];
    expect((await read({ app: 'LEFT' })).entries.map(({ kind }) => kind)).toEqual([...opened, ...ended]);
    await expect(read({ app: 'lefty' })).rejects.toMatchObject({ code: 'APP_NOT_FOUND' });
  });

  it('gives a window that closed no reference, also if the window of another program has its id by now', async () => {
    const { world, desktop, engine, read } = await scene(oneWindow([]));
    const listWindows = desktop.listWindows.bind(desktop);
    desktop.listWindows = async (options) =>
      (await listWindows(options)).map((window) => ({ ...window, process: `process of ${window.pid}` }));
    const opening = (id: string, name: string, pid: number) => {
      world.apps.push(app({ id, name, pid, windows: [windowWith([], { id: 'reused', title: name })] }));
      world.emit(id, 'reused-root', 'window-opened', '');
      return settle();
    };
    const refOfWindow = async (name: string) =>
      (await engine.listWindows({ ...DEADLINE, focusedOnly: false, includeMinimized: true })).find(
        ({ title }) => title === name,
      )?.ref;
    await opening('o', 'Old', 7);
    const old = await refOfWindow('Old');
    world.apps.pop();
    await opening('n', 'New', 8);
    const fresh = await refOfWindow('New');
    expect(fresh).not.toBe(old);
    const { entries } = await read();
    const refs = entries.map(({ kind, what, ref }) => [kind, what, ref]);
    expect(refs).toContainEqual(['window_closed', 'window "Old" closed', undefined]);
    expect(refs).toContainEqual(['window_opened', 'window "New" opened', fresh]);
    expect(refs).toContainEqual(['window_opened', 'window "Old" opened', undefined]);
  });

  it('tells notifications, clipped', async () => {
    const { world, read } = await scene(oneWindow([]));
    world.notify({ app: 'mail', summary: 'New', body: 'x'.repeat(10_000), hasService: true });
    const { entries } = await read();
    expect(entries).toMatchObject([{ kind: 'notification_appeared', app: 'mail', by: 'application' }]);
    expect(JSON.stringify(entries).length).toBeLessThan(1000);
    world.notify({ app: 'editor', summary: 'Saved', body: '', hasService: true });
    expect((await read({ app: '100' })).entries).toMatchObject([{ what: 'notification "Saved"' }]);
  });

  it('records the elements of an application from when it is asked about it, and says so', async () => {
    const { world, read } = await scene(oneWindow([{ ...SLIDER }]));
    world.change('app', 'slider', { value: '4' });
    const first = await read({ app: 'Editor' });
    expect(first.entries).toEqual([]);
    expect(first.notes.join()).toContain('from now on');
    await settle();
    world.change('app', 'slider', { value: '5' });
    await world.clock.sleep(1);
    const second = await read({ app: 'Editor' });
    expect(second.entries).toMatchObject([{ kind: 'value_changed', after: '5' }]);
    expect(second.notes.join()).not.toContain('from now on');
  });

  it('is absent where nobody keeps it', async () => {
    const world = new SimulatedWorld(oneWindow([]));
    const engine = await createEngine({
      desktop: new SimulatedDesktop(world),
      session: new MemoryStore(),
      clock: world.clock,
    });
    expect(await engine.journal(DEADLINE)).toBeUndefined();
  });
});
