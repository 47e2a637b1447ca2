import { describe, expect, it } from 'vitest';
import { guardPasswords } from '../../src/engine/redaction/guard-passwords.ts';
import { rememberAct } from '../../src/engine/evidence/prior-acts.ts';
import type { Receipt } from '../../src/model/effects/effect.ts';
import type { SelectRequest } from '../../src/engine/requests/acting.ts';
import type { State } from '../../src/model/tree/state.ts';
import type { SimulatedNode, SimulatedWorld } from '../simulated/simulated-world.ts';
import { DEADLINE, failureOf, oneWindow, stage, type Stage } from './support/stage.ts';

type Run = (world: SimulatedWorld) => void;

const nothing: Run = () => undefined;
const never: Run = () => {
  throw new Error('something was sent');
};
const takes =
  (id: string): Run =>
  (world) =>
    world.change('app', id, { states: ['selectable', 'selected'] });

function row(name: string, more: Partial<SimulatedNode> = {}): SimulatedNode {
  return {
    id: `row ${name}`,
    role: 'listitem',
    name,
    states: ['selectable'],
    onChoose: takes(`row ${name}`),
    ...more,
  };
}

function list(...children: SimulatedNode[]): SimulatedNode {
  return { id: 'list', role: 'listbox', name: 'Fruits', children };
}

function combobox(onChoose: Run, names: readonly string[] = ['red', 'green', 'blue']): SimulatedNode {
  const children = names.map((name, index): SimulatedNode => ({
    id: `option ${index}`,
    role: 'menuitem',
    name,
    states: ['hidden'],
    onChoose,
  }));
  const menu: SimulatedNode = { id: 'menu', role: 'menu', states: ['hidden'], children };
  return { id: 'combo', role: 'combobox', name: 'Colour', value: 'red', children: [menu] };
}

const shows =
  (value: string): Run =>
  (world) =>
    world.change('app', 'combo', { value });

async function refIn(on: Stage, query: string, role: string): Promise<string> {
  const { matches } = await on.engine.find({
    ...DEADLINE,
    query,
    role,
    by: 'exact',
    limit: 5,
    wholeTree: true,
  });
  return matches[0]?.ref ?? '';
}

async function choose(
  node: SimulatedNode,
  name: string,
  role: string,
  option?: SelectRequest['option'],
): Promise<Receipt> {
  const on = await stage(oneWindow([node]));
  return on.engine.select({ ...DEADLINE, mode: 'background', ref: await refIn(on, name, role), option });
}

describe('an option of a list', () => {
  it.each([
    ['its name', 'Cherry'],
    ['its name in another case', 'cherry'],
    ['a part of its name', 'err'],
    ['its place, counted from 0', { index: 1 }],
  ] as const)('is found by %s, and confirmed by a fresh read and its event', async (_how, option) => {
    const receipt = await choose(list(row('Apple'), row('Cherry')), 'Fruits', 'listbox', option);
    expect(receipt).toMatchObject({
      effect: 'confirmed',
      via: 'simulated:choose',
      target: { role: 'listitem', name: 'Cherry' },
      retry_safe: true,
    });
    expect(receipt.evidence[0]).toBe('fresh read: "Cherry" is selected');
  });

  it.each<[string, string, boolean, 'confirmed' | 'unverified']>([
    ['its bar takes its name and reports it', 'Plot', true, 'confirmed'],
    ['its bar takes its name, of which nothing tells', 'Plot', false, 'unverified'],
    ['its bar takes another name', 'Schema', true, 'unverified'],
  ])('is a tab that does not say whether it is selected: %s', async (_, current, isTold, effect) => {
    const goes: Run = (world) => {
      world.node('app', 'bar').name = current;
      if (isTold) world.emit('app', 'remote', 'state-changed', 'selected=0');
    };
    const tab = (id: string, name: string): SimulatedNode => ({ id, role: 'tab', name, onChoose: goes });
    const children = [tab('plot', 'Plot'), tab('remote', 'Remote')];
    const bar: SimulatedNode = { id: 'bar', role: 'tablist', name: 'Remote', children };
    expect(await choose(bar, 'Plot', 'tab')).toMatchObject({ effect });
  });

  it.each<[string, string, boolean, 'confirmed' | 'unverified' | 'no_op', boolean]>([
    ['a field gains it', 'Hello Cherry', true, 'confirmed', false],
    ['a field gains it, perhaps by the act before', 'Hello Cherry', true, 'unverified', true],
    ['a field changes otherwise', 'Hello Apple', true, 'unverified', false],
    ['a field gains it, but the list stays', 'Hello Cherry', false, 'no_op', false],
  ])('is not selected, but taken: %s', async (_, value, closes, effect, isOpen) => {
    const goes: Run = (world) => {
      world.change('app', 'field', { value });
      if (closes) world.remove('app', 'list');
    };
    const field: SimulatedNode = { id: 'field', role: 'textbox', name: 'To', value: 'Hello' };
    const fruits = list(row('Apple', { onChoose: goes }), row('Cherry', { onChoose: goes }));
    const on = await stage(oneWindow([field, fruits]));
    if (isOpen)
      rememberAct(guardPasswords(on.desktop), 'app', {
        sentAt: on.world.clock.now(),
        changed: new Set(),
        isOpen,
      });
    const request = { ...DEADLINE, ref: await refIn(on, 'Cherry', 'listitem'), option: undefined };
    const answer = await on.engine.select(request).catch((error: unknown) => error);
    expect([effect, JSON.stringify(answer)]).toEqual([
      effect,
      expect.stringContaining(`"effect":"${effect}"`),
    ]);
  });

  it('is not chosen again if its list closed, as those do that select nothing', async () => {
    let chosen = 0;
    const closes: Run = (world) => {
      chosen++;
      world.change('app', 'row Cherry', { states: ['selectable', 'hidden'] });
    };
    const cherry = row('Cherry', { bounds: { x: 0, y: 40, width: 80, height: 20 }, onChoose: closes });
    const on = await stage(oneWindow([list(row('Apple'), cherry)]));
    const ref = await refIn(on, 'Cherry', 'listitem');
    expect(await on.engine.select({ ...DEADLINE, ref, option: undefined })).toMatchObject({
      effect: 'unverified',
      retry_safe: false,
    });
    expect(chosen).toBe(1);
  });

  it('may be given by its own reference', async () => {
    expect(await choose(list(row('Apple'), row('Cherry')), 'Cherry', 'listitem')).toMatchObject({
      effect: 'confirmed',
      target: { name: 'Cherry' },
    });
  });

  it('is chosen if another cell of its row is selected, but not one of another table', async () => {
    const bounds = { x: 0, y: 40, width: 50, height: 20 };
    const cell = (name: string): SimulatedNode =>
      row(name, { role: 'cell', bounds, onChoose: takes('row Value') });
    const here = await choose(list(cell('Name'), cell('Value')), 'Name', 'cell');
    expect(here.effect).toBe('confirmed');
    expect(here.evidence[0]).toContain('its row is selected: cell "Value"');
    const elsewhere: SimulatedNode = { id: 'other', role: 'table', name: 'Other', children: [cell('Value')] };
    const both: SimulatedNode = { id: 'box', role: 'group', children: [list(cell('Name')), elsewhere] };
    expect((await choose(both, 'Name', 'cell')).effect).toBe('unverified');
  });

  it('is chosen if what it is in is selected, as in views of GTK 4', async () => {
    const inner = row('Pictures', { role: 'cell', onChoose: takes('holder') });
    const holder = row('GridCell', { id: 'holder', role: 'cell', children: [inner] });
    const receipt = await choose(list(holder), 'Pictures', 'cell');
    expect(receipt.effect).toBe('confirmed');
    expect(receipt.evidence[0]).toContain('what it is in is selected: cell "GridCell"');
  });

  it('prefers the exact name', async () => {
    const receipt = await choose(
      list(row('Cherry pie'), row('CHERRY'), row('Cherry')),
      'Fruits',
      'listbox',
      'Cherry',
    );
    expect(receipt.target.name).toBe('Cherry');
  });

  it('is named by its content if it has no name', async () => {
    const label: SimulatedNode = { id: 'label', role: 'text', name: 'Date' };
    const nameless = row('', { id: 'row', onChoose: takes('row'), children: [label] });
    expect(await choose(list(row('Apple'), nameless), 'Fruits', 'listbox', 'date')).toMatchObject({
      effect: 'confirmed',
    });
  });

  it('is not acted on if it is already selected', async () => {
    const states: State[] = ['selectable', 'selected'];
    const receipt = await choose(
      list(row('Apple', { states, onChoose: never })),
      'Fruits',
      'listbox',
      'Apple',
    );
    expect(receipt).toMatchObject({ effect: 'confirmed', delivered: false });
  });

  it.each([
    ['confirmed by what the application shows for it some time later', 450, 'confirmed'],
    ['not confirmed by its own state alone', undefined, 'unverified'],
  ] as const)('whose choice is not reported is %s', async (_what, answersAfterMs, effect) => {
    const apple = row('Apple', {
      onChoose: (world) => {
        world.node('app', 'row Apple').states = ['selectable', 'selected'];
        if (answersAfterMs === undefined) return;
        world.clock.after(answersAfterMs, () => world.change('app', 'status', { name: 'Apple, 3 kB' }));
      },
    });
    const status: SimulatedNode = { id: 'status', role: 'text', name: '' };
    const on = await stage(oneWindow([list(apple), status]));
    const ref = await refIn(on, 'Fruits', 'listbox');
    expect((await on.engine.select({ ...DEADLINE, ref, option: 'Apple' })).effect).toBe(effect);
  });

  it('is no failure if the application reports a selection, but of another cell of the row', async () => {
    const apple = row('Apple', {
      onChoose: (world) => world.change('app', 'size', { states: ['selected'] }),
    });
    const size: SimulatedNode = { id: 'size', role: 'cell', name: '' };
    const on = await stage(oneWindow([list(apple), size]));
    const ref = await refIn(on, 'Fruits', 'listbox');
    expect((await on.engine.select({ ...DEADLINE, ref, option: 'Apple' })).effect).toBe('unverified');
  });

  it('is no failure if a place of a side bar was gone to, though it is not selected there', async () => {
    const goes =
      (id: string): Run =>
      (world) => {
        if (id !== '') world.change('app', id, { states: ['pressed'] });
      };
    const bounds = { x: 10, y: 40, width: 80, height: 20 };
    const at = async (id: string): Promise<Receipt> => {
      const desktop = row('Desktop', { bounds, onPointer: { left: goes(id) } });
      const path: SimulatedNode = { id: 'path', role: 'togglebutton', name: 'Desktop' };
      const on = await stage(oneWindow([list(desktop), path]));
      return on.engine.select({ ...DEADLINE, mode: 'pointer', ref: await refIn(on, 'Desktop', 'listitem') });
    };
    expect((await at('path')).effect).toBe('unverified');
    expect(await failureOf(at(''))).toMatchObject({ code: 'ACTION_FAILED' });
  });

  it('is chosen in an open list although it is selected already, which closes the list', async () => {
    const box = combobox((world) => world.change('app', 'option 0', { states: ['hidden', 'selected'] }));
    const [menu] = box.children ?? [];
    const bounds = { x: 10, y: 40, width: 80, height: 20 };
    const red: SimulatedNode = {
      ...menu?.children?.[0],
      id: 'option 0',
      role: 'menuitem',
      name: 'red',
      bounds,
    };
    const open: SimulatedNode = {
      ...box,
      children: [{ id: 'menu', role: 'menu', children: [{ ...red, states: [] }] }],
    };
    expect(await choose(open, 'Colour', 'combobox', 'red')).toMatchObject({ delivered: true });
    expect(await choose({ ...open, states: ['collapsed'] }, 'Colour', 'combobox', 'red')).toMatchObject({
      effect: 'confirmed',
      delivered: false,
    });
  });

  it('is chosen, too, in a list that has dropped down in a window of its own', async () => {
    const states: State[] = ['selectable', 'selected'];
    const closes: Run = (world) => world.change('app', 'popup', { states: ['hidden'] });
    const chosenIn = async (role: 'group' | 'window'): Promise<Receipt> => {
      const held = list(row('Apple', { states, onChoose: closes }));
      const on = await stage(
        oneWindow([{ id: 'popup', role, name: '', states: ['modal'], children: [held] }]),
      );
      return on.engine.select({ ...DEADLINE, ref: await refIn(on, 'Apple', 'listitem') });
    };
    expect(await chosenIn('window')).toMatchObject({ delivered: true });
    expect(await chosenIn('group')).toMatchObject({ effect: 'confirmed', delivered: false });
  });

  it('is a failure if a fresh read shows it not selected, whatever the reply', async () => {
    const error = await failureOf(
      choose(list(row('Apple', { onChoose: nothing })), 'Fruits', 'listbox', 'Apple'),
    );
    expect(error).toMatchObject({ code: 'ACTION_FAILED', delivered: true, result: { effect: 'no_op' } });
  });

  it('is unverified if the application sends no event', async () => {
    const silently: Run = (world) => {
      world.node('app', 'row Apple').states = ['selectable', 'selected'];
    };
    expect(
      await choose(list(row('Apple', { onChoose: silently })), 'Fruits', 'listbox', 'Apple'),
    ).toMatchObject({
      effect: 'unverified',
    });
  });

  it('is confirmed by an event of the list, and by a cell of the row', async () => {
    const cell: SimulatedNode = { id: 'cell', role: 'cell', name: 'Tea' };
    const ofList: Run = (world) => {
      world.node('app', 'row Apple').states = ['selected'];
      world.emit('app', 'list', 'selection-changed', '');
    };
    expect(
      await choose(list(row('Apple', { onChoose: ofList })), 'Fruits', 'listbox', 'Apple'),
    ).toMatchObject({
      effect: 'confirmed',
    });
    const ofCell: Run = (world) => {
      world.change('app', 'cell', { states: ['selected'] });
      world.emit('app', 'list', 'selection-changed', '');
    };
    const tea: SimulatedNode = { id: 'tea', role: 'row', children: [cell], onChoose: ofCell };
    expect(await choose(list(tea), 'Fruits', 'listbox', 'Tea')).toMatchObject({ effect: 'confirmed' });
    expect(await choose(list({ ...tea, children: [{ ...cell, states: [] }] }), 'Tea', 'cell')).toMatchObject({
      effect: 'confirmed',
      target: { role: 'cell' },
    });
  });
});

describe('an option of a combo box', () => {
  it('is judged by the value of the box', async () => {
    expect(await choose(combobox(shows('green')), 'Colour', 'combobox', 'green')).toMatchObject({
      effect: 'confirmed',
      target: { role: 'combobox' },
    });
    const still = await failureOf(choose(combobox(nothing), 'Colour', 'combobox', 'green'));
    expect(still.result).toMatchObject({ effect: 'no_op' });
    const other = await failureOf(choose(combobox(shows('blue')), 'Colour', 'combobox', 'green'));
    expect(other.result).toMatchObject({ effect: 'partial' });
  });

  it('is judged by the name of a box that has neither a label nor a value', async () => {
    const named = (is: string): SimulatedNode => {
      const { value, ...box } = combobox((world) => world.change('app', 'combo', { name: is }));
      return { ...box, name: value ?? '' };
    };
    expect(await choose(named('green'), 'red', 'combobox', 'green')).toMatchObject({ effect: 'confirmed' });
    expect(await choose(named('blue'), 'red', 'combobox', 'green')).toMatchObject({ effect: 'unverified' });
  });

  it('is not judged by a label that has the name of the option, when only the list opens', async () => {
    const opens: Run = (world) => {
      world.change('app', 'combo', { states: ['expanded'] });
      world.change('app', 'option 0', { states: [] });
    };
    const { value: _, ...box } = combobox(opens, ['Size', 'Age']);
    expect(await choose({ ...box, name: 'Size' }, 'Size', 'combobox', 'Size')).toMatchObject({
      effect: 'unverified',
    });
  });

  it('is not chosen again if the box reported a choice and reverted', async () => {
    const goesBack: Run = (world) => {
      world.change('app', 'combo', { value: 'green' });
      world.change('app', 'combo', { value: 'red' });
    };
    const error = await failureOf(choose(combobox(goesBack), 'Colour', 'combobox', 'green'));
    expect(error).toMatchObject({ code: 'ACTION_FAILED', result: { effect: 'no_op', retry_safe: false } });
  });

  it('is not acted on if it is the value, unless another option has the same label', async () => {
    expect(await choose(combobox(never), 'Colour', 'combobox', 'red')).toMatchObject({ delivered: false });
    const twins = combobox(shows('red'), ['red', 'red']);
    expect(await choose(twins, 'Colour', 'combobox', { index: 1 })).toMatchObject({
      effect: 'unverified',
      delivered: true,
    });
  });

  it('is judged by the value of the box even if it is given by its own reference', async () => {
    const run: Run = (world) => shows('blue')(world);
    expect(await choose(combobox(run), 'blue', 'menuitem')).toMatchObject({
      effect: 'confirmed',
      target: { role: 'menuitem' },
    });
  });

  it('must not change before it is chosen', async () => {
    const on = await stage(oneWindow([combobox(never)]));
    const ref = await refIn(on, 'Colour', 'combobox');
    const { desktop, world } = on;
    const watch = desktop.watch.bind(desktop);
    desktop.watch = async (listener, options) => {
      world.node('app', 'option 1').name = 'purple';
      return watch(listener, options);
    };
    const error = await failureOf(on.engine.select({ ...DEADLINE, ref, option: 'green' }));
    expect(error).toMatchObject({ code: 'STALE_REF', delivered: false });
  });
});

describe('refused before anything is sent', () => {
  const fruits = (): SimulatedNode =>
    list(
      ...['Apple', 'Pineapple', 'Apple'].map((name, index) => row(name, { id: `${index}`, onChoose: never })),
    );

  it('several that match, with a reference for each', async () => {
    const error = await failureOf(choose(fruits(), 'Fruits', 'listbox', 'Apple'));
    expect(error).toMatchObject({ code: 'AMBIGUOUS_TARGET', delivered: false });
    expect(error.candidates).toHaveLength(2);
    expect(new Set(error.candidates.map(({ ref }) => ref)).size).toBe(2);
  });

  it('none that matches, with the available ones', async () => {
    const error = await failureOf(choose(fruits(), 'Fruits', 'listbox', 'Date'));
    expect(error).toMatchObject({ code: 'ELEMENT_NOT_FOUND', delivered: false });
    expect(error.candidates.map(({ name }) => name)).toEqual(['Apple', 'Pineapple', 'Apple']);
    expect(await failureOf(choose(fruits(), 'Fruits', 'listbox', { index: 3 }))).toMatchObject({
      code: 'ELEMENT_NOT_FOUND',
    });
  });

  it.each([
    ['a list without a word which', fruits(), 'Fruits', 'listbox', undefined, 'INVALID_ARGUMENT'],
    ['a button', { id: 'b', role: 'button', name: 'Go' }, 'Go', 'button', 'x', 'ACTION_NOT_SUPPORTED'],
    [
      'a row of no list',
      row('Apple', { onChoose: never }),
      'Apple',
      'listitem',
      undefined,
      'ACTION_NOT_SUPPORTED',
    ],
    [
      'a disabled row',
      list(row('Apple', { states: ['disabled'], onChoose: never })),
      'Apple',
      'listitem',
      undefined,
      'NOT_ACTIONABLE',
    ],
    [
      'a closed drop-down',
      { id: 'c', role: 'combobox', name: 'C' },
      'C',
      'combobox',
      'x',
      'ACTION_NOT_SUPPORTED',
    ],
  ] as const)('%s', async (_what, node, name, role, option, code) => {
    expect(await failureOf(choose(node, name, role, option))).toMatchObject({ code, delivered: false });
  });

  it('a container that supports no way of choosing', async () => {
    const deaf = row('Apple');
    delete deaf.onChoose;
    expect(await failureOf(choose(list(deaf), 'Fruits', 'listbox', 'Apple'))).toMatchObject({
      code: 'ACTION_NOT_SUPPORTED',
      delivered: false,
    });
  });
});

describe('an option in a submenu of a combo box, which reports the item that the submenu hangs on', () => {
  const units = (isNamed: boolean): SimulatedNode => ({
    ...combobox(
      (world) => {
        if (isNamed) world.change('app', 'combo', { name: 'Gradians' });
      },
      ['Degrees', 'Gradians'],
    ),
    name: 'Degrees',
    value: 'Angle',
  });

  it('is confirmed by the name of the box', async () => {
    const receipt = await choose(units(true), 'Degrees', 'combobox', 'Gradians');
    expect(receipt).toMatchObject({ effect: 'confirmed' });
  });

  it('is not chosen if the box is called as before', async () => {
    const error = await failureOf(choose(units(false), 'Degrees', 'combobox', 'Gradians'));
    expect(error.code).toBe('ACTION_FAILED');
  });
});
