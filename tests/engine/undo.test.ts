import { describe, expect, it } from 'vitest';
import type { Reversible, Reversal } from '../../src/model/undo/reversal.ts';
import type { EffectRequest } from '../../src/engine/requests/acting.ts';
import type { SimulatedNode } from '../simulated/simulated-world.ts';
import {
  app,
  button,
  DEADLINE,
  failureOf,
  oneWindow,
  refOf,
  snapshot,
  stage,
  windowWith,
  type Stage,
} from './support/stage.ts';

const field = (more: Partial<SimulatedNode> = {}): SimulatedNode => ({
  id: 'name',
  role: 'textbox',
  name: 'Name',
  value: 'old',
  accepts: 'text',
  ...more,
});
const box = (more: Partial<SimulatedNode> = {}): SimulatedNode => ({
  id: 'box',
  role: 'checkbox',
  name: 'Agree',
  states: [],
  onAct: {
    toggle: (world) => {
      const isOn = world.node('app', 'box').states?.includes('checked') === true;
      world.change('app', 'box', { states: isOn ? [] : ['checked'] });
    },
  },
  ...more,
});

/** What an act reports for undoing it. */
async function reported(act: (request: EffectRequest) => Promise<unknown>): Promise<Reversible | undefined> {
  let found: Reversible | undefined;
  await act({
    ...DEADLINE,
    onReversal: (reversible) => {
      found = reversible;
    },
  }).catch(() => undefined);
  return found;
}

async function reversalOf(act: (request: EffectRequest) => Promise<unknown>): Promise<Reversal> {
  const found = await reported(act);
  if (found !== undefined && 'reversal' in found) return found.reversal;
  throw new Error(`it cannot be undone: ${JSON.stringify(found)}`);
}

const undo = (on: Stage, reversal: Reversal) =>
  on.engine.reverse({ ...DEADLINE, reversal, outlivesCall: true });

describe('a text', () => {
  it('is put back, as a fresh read shows', async () => {
    const on = await stage(oneWindow([field()]));
    const ref = await refOf(on.engine, 'Name');
    const reversal = await reversalOf((request) => on.engine.setValue({ ...request, ref, value: 'new' }));
    expect(reversal).toEqual({ kind: 'value', ref, before: 'old', after: 'new' });
    expect(await undo(on, reversal)).toEqual({ effect: 'confirmed', evidence: ['fresh read: "old"'] });
    expect(on.world.node('app', 'name').value).toBe('old');
    expect(await undo(on, reversal)).toMatchObject({ evidence: ['fresh read: "old"'], isAlready: true });
  });

  it('is left alone if anyone has changed it since', async () => {
    const on = await stage(oneWindow([field()]));
    const ref = await refOf(on.engine, 'Name');
    const reversal = await reversalOf((request) => on.engine.setValue({ ...request, ref, value: 'new' }));
    on.world.change('app', 'name', { value: 'theirs' });
    const error = await failureOf(undo(on, reversal));
    expect(error).toMatchObject({ code: 'CONFLICT', delivered: false });
    expect(error.message).toContain('"theirs"');
    expect(on.world.node('app', 'name').value).toBe('theirs');
  });

  /** Something types right after the application took a text. */
  const typingAfter = (on: Stage, typed: string): void => {
    on.desktop.setValue = async ({ app: of, path }, text) => {
      on.world.change(of, path, { value: text + typed });
      return { accepted: true, delivered: true, via: 'test' };
    };
    on.desktop.insertText = async ({ app: of, path }, text) => {
      on.world.change(of, path, { value: `old${text}${typed}` });
      return { accepted: true, delivered: true, via: 'test' };
    };
  };

  it.each<[string, (on: Stage, ref: string) => (request: EffectRequest) => Promise<unknown>]>([
    ['set-value', (on, ref) => (request) => on.engine.setValue({ ...request, ref, value: 'new' })],
    ['set-value of a number', (on, ref) => (request) => on.engine.setValue({ ...request, ref, value: '42' })],
    ['clear', (on, ref) => (request) => on.engine.act({ ...request, ref, act: 'clear' })],
    [
      'type',
      (on, ref) => (request) =>
        on.engine.type({ ...request, ref, text: 'new', delayMs: 0, clearFirst: false }),
    ],
  ])('to which somebody adds at once is not taken for what %s left', async (_, act) => {
    const on = await stage(oneWindow([field()]));
    const ref = await refOf(on.engine, 'Name');
    typingAfter(on, ' theirs');
    const found = await reported(act(on, ref));
    expect(on.world.node('app', 'name').value).toContain('theirs');
    expect(found).toEqual({ irreversible: expect.stringContaining('somebody typed') });
  });

  it.each([
    ['3', '3.00', '2.00'],
    ['3', '3 px', '2 px'],
    ['2026-1-5', '2026-01-05', ''],
  ])('%s that the application writes as %s is put back', async (value, shown, before) => {
    const on = await stage(oneWindow([field({ value: before })]));
    const ref = await refOf(on.engine, 'Name');
    on.desktop.setValue = async ({ app: of, path }) => {
      on.world.change(of, path, { value: shown });
      return { accepted: true, delivered: true, via: 'test' };
    };
    const reversal = await reversalOf((request) => on.engine.setValue({ ...request, ref, value }));
    expect(reversal).toEqual({ kind: 'value', ref, before, after: shown });
  });

  it('that was typed into another one is put back', async () => {
    const on = await stage(oneWindow([field()]));
    const ref = await refOf(on.engine, 'Name');
    typingAfter(on, '');
    const reversal = await reversalOf((request) =>
      on.engine.type({ ...request, ref, text: ' new', delayMs: 0, clearFirst: false }),
    );
    expect(reversal).toEqual({ kind: 'value', ref, before: 'old', after: 'old new' });
  });

  it('is not called undone if a fresh read shows something else', async () => {
    const on = await stage(oneWindow([field()]));
    const ref = await refOf(on.engine, 'Name');
    const reversal = await reversalOf((request) => on.engine.setValue({ ...request, ref, value: 'new' }));
    on.desktop.setValue = async (node) => {
      on.world.change(node.app, node.path, { value: 'somewhere between' });
      return { accepted: true, delivered: true, via: 'test' };
    };
    const error = await failureOf(undo(on, reversal));
    expect(error.code).toBe('ACTION_FAILED');
    expect(error.delivered).toBe(true);
  });

  it.each<[string, SimulatedNode, boolean]>([
    ['a withheld value', field(), true],
    ['a password field', field({ states: ['protected'] }), false],
  ])('is never kept of %s', async (_, node, withheld) => {
    const on = await stage(oneWindow([node]));
    await snapshot(on.engine);
    const found = await reported((request) =>
      on.engine.setValue({ ...request, ref: '@e1', value: 'correct-horse', withheld }),
    );
    expect(JSON.stringify(found)).not.toContain('correct-horse');
    expect(found).toMatchObject({ irreversible: expect.stringContaining('secret') });
  });

  it('of more than 65,536 characters is not kept', async () => {
    const on = await stage(oneWindow([field({ value: 'x'.repeat(70_000) })]));
    const ref = await refOf(on.engine, 'Name');
    const found = await reported((request) => on.engine.setValue({ ...request, ref, value: 'new' }));
    expect(found).toMatchObject({ irreversible: expect.stringContaining('longer than') });
  });
});

describe('a text that may have formatting', () => {
  const bold = (text: string): string[] => Array.from(text, () => 'bold');
  const page = (more: Partial<SimulatedNode> = {}): SimulatedNode =>
    field({ id: 'page', name: 'Page', value: 'H😀me', runs: bold('H😀me'), states: ['multiline'], ...more });
  const runsOf = (on: Stage): unknown => on.world.node('app', 'page').runs;

  it.each([0, 3, 5])('loses only what was typed at %i', async (offset) => {
    const on = await stage(oneWindow([page({ caret: { offset } })]));
    const ref = await refOf(on.engine, 'Page');
    const typing = { ref, text: 'x 😀 y', delayMs: 0, clearFirst: false };
    const reversal = await reversalOf((request) => on.engine.type({ ...request, ...typing }));
    expect(on.world.node('app', 'page').value).toContain('x 😀 y');
    expect(await undo(on, reversal)).toMatchObject({
      effect: 'confirmed',
      evidence: [expect.stringContaining('"H😀me"')],
    });
    expect(on.world.node('app', 'page').value).toBe('H😀me');
    expect(runsOf(on)).toEqual(bold('H😀me'));
  });

  it('is written in one part where it has one formatting', async () => {
    const on = await stage(oneWindow([page({ value: 'one two three', runs: undefined })]));
    const ref = await refOf(on.engine, 'Page');
    const reversal = await reversalOf((request) =>
      on.engine.setValue({ ...request, ref, value: 'one 2 three' }),
    );
    const changes: unknown[] = [];
    const change = on.desktop.changeText.bind(on.desktop);
    on.desktop.changeText = (node, what, options) => {
      changes.push(what);
      return change(node, what, options);
    };
    on.desktop.setValue = () => Promise.reject(new Error('the whole text was written'));
    expect(await undo(on, reversal)).toMatchObject({ effect: 'confirmed' });
    expect(changes).toEqual([{ text: 'one 2 three', at: 4, removed: '2', inserted: 'two' }]);
  });

  it.each<[string, SimulatedNode, (on: Stage, request: EffectRequest, ref: string) => Promise<unknown>]>([
    [
      'it was written anew',
      page(),
      (on, request, ref) => on.engine.setValue({ ...request, ref, value: 'H😀me!' }),
    ],
    ['it was cleared', page(), (on, request, ref) => on.engine.act({ ...request, ref, act: 'clear' })],
    [
      'it was typed over',
      page(),
      (on, request, ref) => on.engine.type({ ...request, ref, text: 'H😀mes', delayMs: 0, clearFirst: true }),
    ],
    [
      'no part of it can be changed',
      page({ runs: 'whole-only' }),
      (on, request, ref) => on.engine.type({ ...request, ref, text: 'x', delayMs: 0, clearFirst: false }),
    ],
    [
      'a character beside it is the same',
      page(),
      (on, request, ref) => on.engine.type({ ...request, ref, text: 'xe', delayMs: 0, clearFirst: false }),
    ],
  ])('is not rewritten: %s', async (_, node, act) => {
    const on = await stage(oneWindow([node]));
    const ref = await refOf(on.engine, 'Page');
    expect(await reported((request) => act(on, request, ref))).toMatchObject({
      irreversible: expect.stringContaining('formatting'),
    });
  });

  it('is not rewritten if no part of it can be changed any more', async () => {
    const on = await stage(oneWindow([page()]));
    const ref = await refOf(on.engine, 'Page');
    const reversal = { kind: 'value', ref, before: 'H😀', after: 'H😀me' } as const;
    on.world.change('app', 'page', { runs: 'whole-only' });
    expect(await failureOf(undo(on, reversal))).toMatchObject({
      code: 'ACTION_NOT_SUPPORTED',
      delivered: false,
    });
    expect(on.world.node('app', 'page').value).toBe('H😀me');
  });

  it('in a cell is set as a whole, though it may have several lines', async () => {
    const on = await stage(oneWindow([page({ role: 'cell', runs: 'whole-only' })]));
    const ref = await refOf(on.engine, 'Page');
    const reversal = await reversalOf((request) => on.engine.setValue({ ...request, ref, value: 'new' }));
    expect(await undo(on, reversal)).toMatchObject({ effect: 'confirmed' });
    expect(on.world.node('app', 'page').value).toBe('H😀me');
  });

  it('with a picture in it is not put back without it', async () => {
    const on = await stage(
      oneWindow([page({ value: 'a \uFFFC b', runs: undefined, states: ['multiline'] })]),
    );
    const ref = await refOf(on.engine, 'Page');
    const found = await reported((request) => on.engine.setValue({ ...request, ref, value: 'a b' }));
    expect(found).toMatchObject({ irreversible: expect.stringContaining('formatting') });
  });
});

describe('a switch', () => {
  it('is brought back, and is left alone where it already is', async () => {
    const on = await stage(oneWindow([box()]));
    const ref = await refOf(on.engine, 'Agree');
    const reversal = await reversalOf((request) => on.engine.act({ ...request, ref, act: 'toggle' }));
    expect(reversal).toEqual({ kind: 'switch', ref, before: 'off' });
    expect(await undo(on, reversal)).toMatchObject({
      evidence: [`fresh read: ${ref} (checkbox "Agree") is off`],
    });
    expect(await undo(on, reversal)).toMatchObject({
      evidence: [expect.stringContaining('is off')],
      isAlready: true,
    });
  });

  it('that is partly checked cannot be brought back', async () => {
    const on = await stage(oneWindow([box({ states: ['indeterminate'] })]));
    const ref = await refOf(on.engine, 'Agree');
    const found = await reported((request) => on.engine.act({ ...request, ref, act: 'toggle' }));
    expect(found).toMatchObject({ irreversible: expect.stringContaining('partly checked') });
  });
});

it('a row that was expanded is collapsed again, unless it does not tell any more', async () => {
  const openness =
    (now: 'expanded' | 'collapsed'): NonNullable<SimulatedNode['onPress']> =>
    (world) =>
      world.change('app', 'folder', { states: [now] });
  const folder: SimulatedNode = {
    id: 'folder',
    role: 'treeitem',
    name: 'Folder',
    states: ['collapsed'],
    onAct: { expand: openness('expanded'), collapse: openness('collapsed') },
  };
  const on = await stage(oneWindow([folder]));
  const ref = await refOf(on.engine, 'Folder');
  const reversal = await reversalOf((request) => on.engine.act({ ...request, ref, act: 'expand' }));
  expect(reversal).toEqual({ kind: 'openness', ref, before: 'collapsed' });
  on.world.change('app', 'folder', { states: [] });
  expect((await failureOf(undo(on, reversal))).code).toBe('CONFLICT');
  on.world.change('app', 'folder', { states: ['expanded'] });
  expect(await undo(on, reversal)).toEqual({ effect: 'confirmed', evidence: ['fresh read: collapsed'] });
});

describe('a choice', () => {
  const radio = (id: string, states: SimulatedNode['states']): SimulatedNode => ({
    id,
    role: 'radio',
    name: id,
    states,
    onAct: {
      toggle: (world) => {
        for (const other of ['Small', 'Large'])
          world.change('app', other, { states: other === id ? ['checked'] : [] });
      },
    },
  });
  const row = (id: string, states: SimulatedNode['states']): SimulatedNode => ({
    id,
    role: 'listitem',
    name: id,
    states,
    onChoose: (world) => {
      for (const other of ['Apple', 'Fig'])
        world.change('app', other, { states: other === id ? ['selectable', 'selected'] : ['selectable'] });
    },
  });

  it.each<[string, Reversible]>([
    ['green', { reversal: { kind: 'choice', ref: '@e1', before: 'red', after: 'green' } }],
    ['theirs', { irreversible: expect.stringContaining('somebody typed') }],
  ])('of a combo box that shows %s then is known as %j', async (shown, known) => {
    const option = (id: string): SimulatedNode => ({
      id,
      role: 'menuitem',
      name: id,
      states: ['hidden'],
      onChoose: (world) => world.change('app', 'colour', { value: shown }),
    });
    const menu: SimulatedNode = {
      id: 'menu',
      role: 'menu',
      states: ['hidden'],
      children: [option('red'), option('green')],
    };
    const on = await stage(
      oneWindow([{ id: 'colour', role: 'combobox', name: 'Colour', value: 'red', children: [menu] }]),
    );
    const ref = await refOf(on.engine, 'Colour');
    expect(ref).toBe('@e1');
    const found = await reported((request) =>
      on.engine.select({ ...request, ref, option: 'green', mode: 'background' }),
    );
    expect(found).toEqual(known);
  });

  it.each([
    ['Default', 1],
    ['Default', 2],
    ['red', 1],
  ])('among options of the same name, from %s to number %i, is not undone', async (value, index) => {
    const option = (name: string, at: number): SimulatedNode => ({
      id: `option ${at}`,
      role: 'menuitem',
      name,
      states: ['hidden'],
      onChoose: (world) => world.change('app', 'colour', { value: name }),
    });
    const children = ['Default', 'red', 'Default'].map((name, at) => option(name, at));
    const menu: SimulatedNode = { id: 'menu', role: 'menu', states: ['hidden'], children };
    const colour: SimulatedNode = { id: 'colour', role: 'combobox', name: 'Colour', value, children: [menu] };
    const on = await stage(oneWindow([colour]));
    const ref = await refOf(on.engine, 'Colour');
    const found = await reported((request) =>
      on.engine
        .select({ ...request, ref, option: { index: value === 'red' ? 2 : index }, mode: 'background' })
        .catch(() => undefined),
    );
    expect(found).toEqual({ irreversible: expect.stringContaining('have the same name') });
  });

  it('of a radio button is undone by the one that was on before', async () => {
    const group: SimulatedNode = {
      id: 'group',
      role: 'group',
      children: [radio('Small', ['checked']), radio('Large', [])],
    };
    const on = await stage(oneWindow([group]));
    const ref = await refOf(on.engine, 'Large');
    const reversal = await reversalOf((request) =>
      on.engine.act({ ...request, ref, act: 'toggle', to: 'on' }),
    );
    const small = await refOf(on.engine, 'Small');
    expect(reversal).toEqual({ kind: 'switch', ref: small, before: 'on', other: ref });
    // Somebody chose another one since.
    on.world.change('app', 'Large', { states: [] });
    expect((await failureOf(undo(on, reversal))).code).toBe('CONFLICT');
    on.world.change('app', 'Large', { states: ['checked'] });
    expect(await undo(on, reversal)).toMatchObject({
      evidence: [`fresh read: ${small} (radio "Small") is on`],
    });
    expect(on.world.node('app', 'Small').states).toEqual(['checked']);
    expect(on.world.node('app', 'Large').states).toEqual([]);
  });

  it('of a group of check boxes, as GTK 4 calls them, is undone by the one that went off', async () => {
    const boxes = [radio('Small', ['checked']), radio('Large', []), box()].map((one) => ({
      ...one,
      role: 'checkbox' as const,
    }));
    const on = await stage(oneWindow([{ id: 'group', role: 'group', children: boxes }]));
    const ref = await refOf(on.engine, 'Large');
    const reversal = await reversalOf((request) => on.engine.act({ ...request, ref, act: 'toggle' }));
    const small = await refOf(on.engine, 'Small');
    expect(reversal).toEqual({ kind: 'switch', ref, before: 'off', partner: small });
    expect(await undo(on, reversal)).toEqual({
      effect: 'confirmed',
      evidence: [`fresh read: ${ref} (checkbox "Large") is off`, `${small} (checkbox "Small") is on`],
    });
    expect(on.world.node('app', 'Small').states).toEqual(['checked']);
    expect(on.world.node('app', 'Large').states).toEqual([]);
    expect(await undo(on, reversal)).toMatchObject({ isAlready: true });
    // Somebody chose a third one.
    on.world.change('app', 'Small', { states: [] });
    expect((await failureOf(undo(on, reversal))).code).toBe('CONFLICT');
  });

  it('of a check box is undone by itself, though another one went off by itself at that time', async () => {
    const own = box();
    const toggle = own.onAct?.toggle;
    const agree: SimulatedNode = {
      ...own,
      onAct: {
        toggle: (world) => {
          if (typeof toggle === 'function') toggle(world);
          if (world.node('app', 'box').states?.includes('checked') === true)
            world.change('app', 'never', { states: [] });
        },
      },
    };
    const never: SimulatedNode = { id: 'never', role: 'checkbox', name: 'Never', states: ['checked'] };
    const on = await stage(oneWindow([{ id: 'group', role: 'group', children: [never, agree] }]));
    const ref = await refOf(on.engine, 'Agree');
    const reversal = await reversalOf((request) => on.engine.act({ ...request, ref, act: 'toggle' }));
    expect(await undo(on, reversal)).toMatchObject({
      evidence: [
        `fresh read: ${ref} (checkbox "Agree") is off`,
        expect.stringMatching(/"Never"\), which was on before the act, is off$/),
      ],
    });
    expect(on.world.node('app', 'box').states).toEqual([]);
    expect(on.world.node('app', 'never').states).toEqual([]);
  });

  it('of a tab of Qt, which reports none as selected, is undone by the one that its bar was called like', async () => {
    const tab = (id: string): SimulatedNode => ({
      id,
      role: 'tab',
      name: id,
      onChoose: (world) => {
        world.change('app', 'bar', { name: id });
        world.emit('app', 'Plot', 'state-changed', 'selected=0');
      },
    });
    const children = ['Remote', 'Plot', 'Schema'].map(tab);
    const bar: SimulatedNode = { id: 'bar', role: 'tablist', name: 'Remote', children };
    const on = await stage(oneWindow([bar]));
    const ref = await refOf(on.engine, 'Plot');
    const reversal = await reversalOf((request) => on.engine.select({ ...request, ref }));
    expect(reversal).toMatchObject({ kind: 'option', other: ref });
    on.world.change('app', 'bar', { name: 'Schema' });
    expect((await failureOf(undo(on, reversal))).code).toBe('CONFLICT');
    on.world.change('app', 'bar', { name: 'Plot' });
    expect(await undo(on, reversal)).toMatchObject({
      evidence: [expect.stringMatching(/"Remote"\) is the current tab$/)],
    });
    expect(on.world.node('app', 'bar').name).toBe('Remote');
    expect(await undo(on, reversal)).toMatchObject({ isAlready: true });
  });

  it('in a list is undone by selecting the row from before, unless another one was selected since', async () => {
    const rows = [row('Apple', ['selectable', 'selected']), row('Fig', ['selectable'])];
    const on = await stage(oneWindow([{ id: 'list', role: 'listbox', name: 'Fruits', children: rows }]));
    const ref = await refOf(on.engine, 'Fig');
    const reversal = await reversalOf((request) => on.engine.select({ ...request, ref }));
    expect(reversal).toEqual({ kind: 'option', ref: await refOf(on.engine, 'Apple'), other: ref });
    on.world.change('app', 'Fig', { states: ['selectable'] });
    expect((await failureOf(undo(on, reversal))).code).toBe('CONFLICT');
    on.world.change('app', 'Fig', { states: ['selectable', 'selected'] });
    expect(await undo(on, reversal)).toMatchObject({
      evidence: [expect.stringMatching(/^fresh read: @e\d+ \(.* "Apple"\) is selected$/)],
    });
    expect(on.world.node('app', 'Fig').states).toEqual(['selectable']);
    on.world.change('app', 'Fig', { states: ['selectable', 'selected'] });
    expect((await failureOf(undo(on, reversal))).code).toBe('CONFLICT');
  });

  it('in a list that leaves the row from before selected, too, is not undone', async () => {
    const fig = row('Fig', ['selectable']);
    const onChoose: SimulatedNode['onChoose'] = (world) =>
      world.change('app', 'Fig', { states: ['selectable', 'selected'] });
    const rows = [row('Apple', ['selectable', 'selected']), { ...fig, onChoose }];
    const on = await stage(oneWindow([{ id: 'list', role: 'listbox', name: 'Fruits', children: rows }]));
    const ref = await refOf(on.engine, 'Fig');
    expect(await reported((request) => on.engine.select({ ...request, ref }))).toEqual({
      irreversible: 'other options are selected besides',
    });
    expect(on.world.node('app', 'Apple').states).toEqual(['selectable', 'selected']);
  });
});

describe('a window', () => {
  const ask = (on: Stage, kind: 'maximize' | 'minimize' | 'close' | 'focus') =>
    reported((request) => on.engine.controlWindow({ ...request, request: { kind }, window: 'Document' }));

  it('is put back where it was, through any states', async () => {
    const document = windowWith([], { id: 'doc', title: 'Document' });
    const on = await stage([app({ windows: [document] })]);
    const before = { ...document.bounds };
    const moved = await reversalOf((request) =>
      on.engine.controlWindow({ ...request, request: { kind: 'move', x: 30, y: 40 }, window: 'Document' }),
    );
    const maximized = await ask(on, 'maximize');
    if (maximized === undefined || !('reversal' in maximized)) throw new Error('it cannot be undone');
    expect((await failureOf(undo(on, moved))).code).toBe('CONFLICT');
    await undo(on, maximized.reversal);
    expect(document).toMatchObject({ maximized: false, bounds: { x: 30, y: 40 } });
    await undo(on, moved);
    expect(document.bounds).toEqual(before);
    const minimized = await ask(on, 'minimize');
    if (minimized === undefined || !('reversal' in minimized)) throw new Error('it cannot be undone');
    await undo(on, minimized.reversal);
    expect(document).toMatchObject({ minimized: false, bounds: before });
    expect(await ask(on, 'close')).toMatchObject({ irreversible: expect.any(String) });
  });
});

describe('the clipboard', () => {
  const write = (on: Stage, text: string) =>
    reversalOf((request) =>
      on.engine.writeClipboard({ ...request, content: { kind: 'text', text }, outlivesCall: true }),
    );
  const text = (on: Stage) => on.engine.readClipboard({ ...DEADLINE, kind: 'text' });

  it('gets back what it had, or becomes empty', async () => {
    const on = await stage(oneWindow([field()]));
    const first = await write(on, 'first');
    const second = await write(on, 'second');
    expect((await failureOf(undo(on, first))).code).toBe('CONFLICT');
    await undo(on, second);
    expect(await text(on)).toMatchObject({ text: 'first' });
    await undo(on, first);
    expect((await failureOf(text(on))).code).toBe('CLIPBOARD_EMPTY');
  });

  it('is left alone if somebody has copied the same text since', async () => {
    const on = await stage(oneWindow([field()]));
    on.desktop.clipboard.content = { kind: 'text', text: 'theirs' };
    const reversal = await write(on, 'ours');
    on.desktop.clipboard.content = { kind: 'text', text: 'ours' };
    const error = await failureOf(undo(on, reversal));
    expect(error).toMatchObject({ code: 'CONFLICT', delivered: false });
    expect(error.message).toContain('may have copied the same text');
    expect(await text(on)).toMatchObject({ text: 'ours' });
  });

  it('says that it cannot tell, where another process holds what was written', async () => {
    const on = await stage(oneWindow([field()]));
    on.desktop.clipboard.content = { kind: 'text', text: 'theirs' };
    const reversal = await write(on, 'ours');
    if (reversal.kind !== 'clipboard') throw new Error('it is not of the clipboard');
    const done = await undo(on, { ...reversal, is_held: false });
    expect(done.evidence).toEqual(['read back: "theirs"', expect.stringContaining('nothing tells')]);
  });
});

it('a click says that it cannot be undone', async () => {
  const on = await stage(oneWindow([button('go', 'Go')]));
  const ref = await refOf(on.engine, 'Go');
  expect(await reported((request) => on.engine.click({ ...request, ref }))).toEqual({
    irreversible: 'what it does depends on the application',
  });
});
