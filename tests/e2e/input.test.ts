import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { usePlace } from './harness.ts';
import { ListedWindows } from './support/answers.ts';
import { useFixtures, type Bench } from './support/fixtures.ts';

const place = usePlace();
const bench = useFixtures(place);
const State = z.object({ text: z.string().nullish(), value: z.unknown(), checked: z.unknown() });
const PANGRAM = 'zażółć gęślą jaźń — 日本語 😀';

async function stateOf(app: Bench, widget: string): Promise<z.output<typeof State>> {
  return State.parse(await app.fixture.control('get', { widget }));
}

/** Runs one command and returns the reply with the events that the application recorded for the widget. */
async function perform(app: Bench, widget: string, ...args: string[]) {
  const { result: reply, events } = await app.recording(() => app.desk(...args));
  return { reply, told: events.filter((event) => event.widget === widget && event.event !== 'focus-in') };
}

async function activeTitle(): Promise<string | undefined> {
  const { windows } = (await place().desk(['list-windows'])).ok(ListedWindows);
  return windows.find(({ focused }) => focused)?.title;
}

/** Of the user. */
async function pointerAt(): Promise<string> {
  return (await place().run('xdotool', ['getmouselocation', '--shell'])).split('\n').slice(0, 2).join();
}

// Qt 5 behaves like Qt 6 in all of this.
const KINDS = ['gtk3', 'gtk4', 'qt6'] as const;

describe.each(KINDS)('%s', (kind) => {
  it('clicks a covered button with the pointer, once, and nothing else', async () => {
    const app = bench(kind);
    const ref = await app.ref('press');
    const cover = bench(kind === 'gtk3' ? 'qt6' : 'gtk3');
    await cover.desk('focus-window', '--app', cover.app);
    const { result, events } = await app.recording(() => app.desk('click', ref, '--mode', 'pointer'));
    expect(result.receipt.effect).toBe('confirmed');
    expect(result.receipt.via).toMatch(/^pointer:left button at/);
    expect(events.filter(({ event }) => event === 'clicked').map(({ widget }) => widget)).toEqual(['press']);
  });

  it('toggles a check box, with the pointer if its toolkit offers no action', async () => {
    const app = bench(kind);
    await app.set('agree', 'checked', false);
    const { reply, told } = await perform(app, 'agree', 'toggle', await app.ref('agree'));
    expect(reply.receipt.effect).toBe('confirmed');
    expect(reply.receipt.via.includes('pointer:')).toBe(kind !== 'gtk3');
    expect(told).toMatchObject([{ event: 'toggled', value: true }]);
    const ref = await app.ref('agree');
    expect((await perform(app, 'agree', 'toggle', ref, '--to', 'on')).told).toEqual([]);
    expect((await perform(app, 'agree', 'set-value', ref, 'off')).told).toMatchObject([
      { event: 'toggled', value: false },
    ]);
  });

  it('types any text with the keyboard, whatever was focused before', async () => {
    const app = bench(kind);
    await app.set('name', 'text', '');
    const ref = await app.ref('name');
    const { reply } = await perform(app, 'name', 'type', ref, PANGRAM, '--mode', 'focus');
    expect(reply.receipt).toMatchObject({ effect: 'confirmed', delivered: true });
    expect(reply.receipt.via).toMatch(/^keyboard:/);
    expect((await stateOf(app, 'name')).text).toBe(PANGRAM);
    const inserted = await perform(app, 'name', 'type', ref, '!', '--mode', 'background');
    expect(inserted.reply.receipt.effect).toBe('confirmed');
    expect((await stateOf(app, 'name')).text).toContain('!');
  });

  it('replaces the selection with text typed after ctrl+a', async () => {
    const app = bench(kind);
    await app.set('notes', 'text', 'before');
    const ref = await app.ref('notes');
    await app.desk('press', 'ctrl+a', '--ref', ref);
    const typed = await app.desk('type', ref, 'after', '--delay', '1');
    expect(typed.receipt.effect).toBe('confirmed');
    expect((await stateOf(app, 'notes')).text).toBe('after');
    const cleared = await app.desk('type', ref, 'one\ntwo', '--clear-first');
    expect(cleared.receipt.effect).toBe('confirmed');
    expect((await stateOf(app, 'notes')).text).toBe('one\ntwo');
  });

  it('selects a word with a double click', async () => {
    const app = bench(kind);
    await app.set('name', 'text', 'word'.repeat(12));
    const ref = await app.ref('name');
    expect((await app.desk('double-click', ref)).receipt.delivered).toBe(true);
    await app.desk('type', ref, 'x', '--delay', '1');
    expect((await stateOf(app, 'name')).text).toBe('x');
    // Three clicks select all of a field, and the text goes where the focus is.
    await app.set('name', 'text', 'three words here');
    expect((await app.desk('triple-click', ref)).receipt.delivered).toBe(true);
    const typed = await app.desk('type', 'y');
    expect(typed.receipt).toMatchObject({ effect: 'confirmed', target: { ref } });
    expect((await stateOf(app, 'name')).text).toBe('y');
  });

  it('sets a combo box, with the pointer if its toolkit ignores requests', async () => {
    const app = bench(kind);
    const ref = await app.ref('colour');
    const { reply, told } = await perform(app, 'colour', 'select', ref, 'green');
    expect(reply.receipt.effect).toBe('confirmed');
    expect(told.at(-1)).toMatchObject({ event: 'selected', value: 'green' });
    expect((await stateOf(app, 'colour')).value ?? (await stateOf(app, 'colour')).text).toBe('green');
  });

  it('clicks an item of the menu bar in its open menu', async () => {
    const app = bench(kind);
    const opened = await app.desk('click', await app.refOf('File', 'menuitem'), '--mode', 'pointer');
    expect(opened.receipt.effect).toBe('confirmed');
    const save = await app.refOf('Save', 'menuitem');
    const { reply, told } = await perform(app, 'file_save', 'click', save, '--mode', 'pointer');
    expect(reply.receipt).toMatchObject({ delivered: true });
    expect(reply.receipt.via).toMatch(/^pointer:left button at/);
    expect(told).toMatchObject([{ event: 'menu-activated' }]);
  });

  it('drags a slider', async () => {
    const app = bench(kind);
    await app.set('volume', 'value', 0);
    const ref = await app.ref('volume');
    const { reply, told } = await perform(
      app,
      'volume',
      'drag',
      '--from-ref',
      ref,
      '--to-xy',
      await rightOf(app, ref),
    );
    expect(reply.exitCode).toBe(0);
    expect(told.length).toBeGreaterThan(0);
    expect(Number((await stateOf(app, 'volume')).value)).toBeGreaterThan(0);
  });

  it('scrolls a list to its end, where nothing moves any more', async () => {
    const app = bench(kind);
    await app.set('tabs', 'selected', 'Many rows');
    const first = async (): Promise<number> => Number((await stateOf(app, 'rows')).value);
    const row = await app.refOf('Row 5', 'listitem');
    const before = await first();
    expect((await app.desk('scroll', 'down', '--ref', row, '--amount', '100')).receipt.effect).toBe(
      'confirmed',
    );
    expect(await first()).toBeGreaterThan(before);
    await app.desk('scroll', 'up', '--app', app.app, '--amount', '5000');
    expect(await first()).toBe(0);
    expect((await app.desk('scroll', 'up', '--app', app.app)).exitCode).toBe(4);
    await app.set('tabs', 'selected', 'General');
  });

  it('moves the pointer onto the element to hover', async () => {
    const app = bench(kind);
    const reply = await app.desk('hover', await app.ref('press'));
    expect(reply.receipt.effect).toBe('confirmed');
    expect(await activeTitle()).toBe(app.fixture.title);
  });
});

it.each(KINDS)(
  '%s: a dialog that an action opened in a nested loop accepts keys, and nothing hangs',
  async (kind) => {
    const app = bench(kind);
    const ref = await app.ref('run_dialog');
    const { events } = await app.recording(async () => {
      await app.desk('click', ref, '--mode', 'background');
      await app.desk('wait', '--window', 'Confirm', '--app', app.app);
      await app.desk('press', 'Escape', '--app', app.app, '--window', 'Confirm');
      await app.desk('snapshot', '--app', app.app);
    });
    const ofDialog = events.filter(({ widget }) => widget === 'nested_dialog').map(({ event }) => event);
    expect(ofDialog).toEqual(['dialog-opened', 'dialog-closed']);
  },
);

async function rightOf(app: Bench, ref: string): Promise<string> {
  const reply = await app.desk('get', 'bounds', ref);
  const { value } = z
    .object({ value: z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() }) })
    .parse(JSON.parse(reply.stdout));
  return `${value.x + value.width - 10},${value.y + Math.floor(value.height / 2)}`;
}

it('clicks and types with a seat of its own, and the pointer and the window of the user stay', async () => {
  const [app, theirs] = [bench('gtk3'), bench('qt6')];
  await app.set('name', 'text', '');
  const [press, name] = [await app.ref('press'), await app.ref('name')];
  await app.desk('focus-window', '--app', app.app);
  await theirs.desk('focus-window', '--app', theirs.app);
  await app.desk('move-window', '--app', app.app, '1', '20');
  await theirs.desk('move-window', '--app', theirs.app, '970', '20');
  await place().run('xdotool', ['mousemove', '3', '800']);
  const before = { pointer: await pointerAt(), title: await activeTitle() };
  const { result, events } = await app.recording(() =>
    app.desk('click', press, '--mode', 'pointer', '--seat', 'own'),
  );
  expect(result.receipt.via).toMatch(/^pointer:left button at .*\(own seat\)$/);
  expect(events.filter(({ event }) => event === 'clicked').map(({ widget }) => widget)).toEqual(['press']);
  const typed = await app.desk('type', name, PANGRAM, '--mode', 'focus', '--seat', 'own');
  expect(typed.receipt.effect).toBe('confirmed');
  expect((await stateOf(app, 'name')).text).toBe(PANGRAM);
  expect({ pointer: await pointerAt(), title: await activeTitle() }).toEqual(before);
});
