import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { JournalEntry } from '../../src/model/journal/entry.ts';
import { usePlace } from './harness.ts';
import { Found } from './support/answers.ts';
import { Bench } from './support/fixtures.ts';
import { useClients } from './support/mcp-client.ts';

const place = usePlace();
const connect = useClients(place);
const benches = new Map<string, Bench>();

beforeAll(async () => {
  for (const kind of ['gtk3', 'gtk4', 'qt6'] as const)
    benches.set(kind, new Bench(place(), await place().fixture(kind)));
});

const Undone = z.object({
  undone: z.number(),
  actions: z.array(z.looseObject({ tool: z.string(), status: z.string(), detail: z.string() })),
});
const Journal = z.looseObject({ entries: z.array(JournalEntry), cursor: z.string() });
const State = z.looseObject({ text: z.unknown(), checked: z.unknown(), selected: z.unknown() });

function benchOf(kind: string): Bench {
  const bench = benches.get(kind);
  if (bench === undefined) throw new Error(`${kind} did not start`);
  return bench;
}

/** What the application itself says of its widgets. */
async function stateOf({ fixture }: Bench, widgets: readonly string[]): Promise<unknown> {
  const states = [];
  for (const widget of widgets) {
    const { text, checked, selected } = State.parse(await fixture.control('get', { widget }));
    states.push([widget, text, checked, selected]);
  }
  return states;
}

describe.each(['gtk4', 'qt6'] as const)('undo and journal with %s', (kind) => {
  it('bring back a text, a choice of a group and an option, which are told as own acts and values', async () => {
    const form = benchOf(kind);
    const on = async (...args: string[]) => place().desk(args);
    await on('snapshot', '--app', form.app);
    const widgets = ['name', 'size_small', 'size_large', 'colour'];
    const before = await stateOf(form, widgets);
    const { cursor } = (await on('journal')).ok(Journal);
    await on('set-value', `app:${form.app} >> role:textbox[name="Name"]`, 'Ada');
    await on('toggle', await form.ref('size_large'), '--to', 'on');
    await on('select', `app:${form.app} >> role:combobox[name="Colour"]`, 'green');
    expect(await stateOf(form, widgets)).not.toEqual(before);
    const { entries } = (await on('journal', '--since', cursor)).ok(Journal);
    const ofColour = entries.filter(({ element }) => element === 'combobox "Colour"');
    expect(ofColour.filter((entry) => entry.kind === 'value_changed')).toMatchObject([
      { kind: 'value_changed', by: 'own', command: 'select', before: 'red', after: 'green' },
    ]);
    const undone = (await on('undo', '--count', '3')).ok(Undone);
    expect(undone.undone).toBeGreaterThanOrEqual(2);
    const [, toggled, written] = undone.actions;
    expect(toggled?.detail).toMatch(/"Small"\) is on$/);
    expect(written).toMatchObject({ tool: 'set-value', status: 'undone' });
    const after = z.array(z.unknown()).parse(await stateOf(form, widgets.slice(0, 3)));
    expect(after).toEqual(z.array(z.unknown()).parse(before).slice(0, 3));
  });
});

it('scrolls a list back whose scroll bar GTK hides', async () => {
  const form = benchOf('gtk3');
  const on = async (...args: string[]) => place().desk(args);
  await form.set('tabs', 'selected', 'Many rows');
  const list = `app:${form.app} >> role:listbox[name="Rows"]`;
  const shown = async (): Promise<readonly string[]> => {
    const { matches } = (await on('find', 'Row 1', '--app', form.app)).ok(Found);
    return matches.map(({ name = '' }) => name);
  };
  const before = await shown();
  await on('scroll', 'down', '--ref', list);
  expect(await shown()).not.toEqual(before);
  expect((await on('undo')).ok(Undone)).toMatchObject({ undone: 1 });
  expect(await shown()).toEqual(before);
  await form.set('tabs', 'selected', 'General');
});

it('collapses a row of a tree again that was expanded', async () => {
  const form = benchOf('gtk3');
  const on = async (...args: string[]) => place().desk(args);
  await form.set('tabs', 'selected', 'Advanced');
  const Tree = z.looseObject({ expanded: z.array(z.unknown()) });
  const expanded = async () => Tree.parse(await form.fixture.control('get', { widget: 'files' })).expanded;
  const before = await expanded();
  const { matches } = (await on('find', 'Documents', '--app', form.app, '--exact')).ok(Found);
  await on('expand', matches[0]?.ref ?? '');
  expect(await expanded()).toHaveLength(before.length + 1);
  expect((await on('undo')).ok(Undone)).toMatchObject({ undone: 1 });
  expect(await expanded()).toEqual(before);
  await form.set('tabs', 'selected', 'General');
});

it('works over MCP, and names what was changed since', async () => {
  const form = benchOf('gtk3');
  const desk = await connect({ era: 'modern', way: 'stdio', flags: ['--toolsets', 'all'] });
  const ref = `app:${form.app} >> role:textbox[name="Name"]`;
  await form.set('name', 'text', 'before');
  await desk.data(z.looseObject({}), 'desktop_set_value', { ref, value: 'one' });
  await desk.data(z.looseObject({}), 'desktop_toggle', {
    ref: `app:${form.app} >> role:checkbox[name="Agree"]`,
  });
  await form.set('agree', 'checked', false);
  const undone = await desk.data(Undone, 'desktop_undo', { count: 2 });
  // The application took the other one back itself.
  expect(undone).toMatchObject({
    undone: 1,
    actions: [{ status: 'already_as_before' }, { status: 'undone' }],
  });
  expect(await stateOf(form, ['name'])).toEqual([['name', 'before', null, null]]);
  await desk.data(z.looseObject({}), 'desktop_set_value', { ref, value: 'two' });
  await form.set('name', 'text', 'theirs');
  const refused = await desk.call('desktop_undo', {});
  expect(JSON.stringify(refused)).toContain('skip_changed');
  expect(await stateOf(form, ['name'])).toEqual([['name', 'theirs', null, null]]);
});
