import { describe, expect, it, vi } from 'vitest';
import type { SelectRequest } from '../../src/engine/requests/acting.ts';
import type { State } from '../../src/model/tree/state.ts';
import type { SimulatedNode, SimulatedWorld } from '../simulated/simulated-world.ts';
import {
  app,
  button,
  DEADLINE,
  failureOf,
  oneWindow,
  refOf,
  stage,
  windowWith,
  type Stage,
} from './support/stage.ts';

const NAMES = ['Apple', 'Banana', 'Cherry'] as const;
const CHOSEN: State[] = ['selectable', 'selected'];

/** Selects a row; the others are deselected, unless the row is added and the list takes several. */
function selecting(name: string, takesSeveral: boolean) {
  return (world: SimulatedWorld): void => {
    for (const other of NAMES)
      if (other !== name && !(world.adds && takesSeveral))
        world.change('app', other, { states: ['selectable'] });
    world.change('app', name, { states: CHOSEN });
  };
}

function list(selected: readonly string[], takesSeveral: boolean): SimulatedNode {
  const children = NAMES.map((name, at): SimulatedNode => {
    const states: State[] = selected.includes(name) ? CHOSEN : ['selectable'];
    const bounds = { x: 10, y: 100 + 30 * at, width: 100, height: 30 };
    const onChoose = selecting(name, takesSeveral);
    return { id: name, role: 'listitem', name, states, bounds, onChoose, onPress: onChoose };
  });
  return { id: 'list', role: 'listbox', name: 'Fruits', children };
}

function selectedOn({ world }: Stage): string[] {
  return NAMES.filter((name) => world.node('app', name).states?.includes('selected'));
}

async function select(on: Stage, name: string, more: Partial<SelectRequest> = {}) {
  return on.engine.select({ ...DEADLINE, ref: await refOf(on.engine, name), ...more });
}

describe('selecting in a list that takes several', () => {
  it('replaces what is selected, also if the option was selected besides others', async () => {
    const on = await stage(oneWindow([list(['Apple', 'Banana'], true)]));
    expect(await select(on, 'Banana')).toMatchObject({ delivered: true });
    expect(selectedOn(on)).toEqual(['Banana']);
    expect(await select(on, 'Banana')).toMatchObject({ delivered: false, effect: 'confirmed' });
  });

  it('adds the option if that is asked for', async () => {
    const on = await stage(oneWindow([list(['Apple'], true)]));
    expect(await select(on, 'Cherry', { adds: true })).toMatchObject({ effect: 'confirmed' });
    expect(selectedOn(on)).toEqual(['Apple', 'Cherry']);
  });

  it('holds Control down to add with the pointer, and only then', async () => {
    const on = await stage(oneWindow([list(['Apple'], true)]));
    on.world.adds = true;
    const receipt = await select(on, 'Cherry', { adds: true, mode: 'pointer' });
    on.world.adds = false;
    expect(receipt.via).toContain('with Control');
    expect(on.desktop.input.record.filter((each) => !each.startsWith('move'))).toEqual([
      'key down Control',
      'left down 60,175',
      'left up 60,175',
      'key up Control',
    ]);
    on.desktop.input.record.length = 0;
    await select(on, 'Banana', { mode: 'pointer' });
    expect(on.desktop.input.record.join()).not.toContain('Control');
  });

  it('does not claim what a fresh read contradicts', async () => {
    const single = await stage(oneWindow([list(['Apple'], false)]));
    const replaced = await failureOf(select(single, 'Cherry', { adds: true }));
    expect(replaced).toMatchObject({ code: 'ACTION_FAILED', delivered: true, result: { effect: 'partial' } });
    expect(replaced.message).toContain('no longer selected: "Apple"');
    const stubborn = await stage(oneWindow([list(['Apple'], true)]));
    const { onChoose } = stubborn.world.node('app', 'Cherry');
    stubborn.world.node('app', 'Cherry').onChoose = (world) => {
      world.adds = true;
      onChoose?.(world);
    };
    const kept = await failureOf(select(stubborn, 'Cherry'));
    expect(kept).toMatchObject({ code: 'ACTION_FAILED', delivered: true, result: { effect: 'partial' } });
    expect(kept.message).toContain('still selected besides: "Apple"');
  });
});

describe('what lies over an element in its own window', () => {
  const below = (more: Partial<SimulatedNode> = {}): SimulatedNode => button('below', 'Below', more);
  const above: SimulatedNode = {
    id: 'above',
    role: 'dialog',
    name: 'Consent',
    bounds: { x: 0, y: 0, width: 400, height: 300 },
  };

  it.each(['background', 'pointer', undefined] as const)('is not clicked through: mode %s', async (mode) => {
    let pressed = 0;
    const on = await stage(oneWindow([below({ onPress: () => pressed++ }), above]));
    const error = await failureOf(
      on.engine.click({ deadlineMs: 1000, ref: await refOf(on.engine, 'Below'), mode }),
    );
    expect(error).toMatchObject({ code: 'NOT_ACTIONABLE', delivered: false });
    expect(error.message).toContain('covered by a dialog "Consent"');
    expect(error.suggestion).not.toContain('background');
    expect(pressed).toBe(0);
  });

  describe('as nothing but the page, whose hit tests find what a click would reach', () => {
    const veiled = async (isWhatIsDrawn: boolean, role: 'document' | 'group' = 'document') => {
      let pressed = 0;
      const page: SimulatedNode = {
        id: 'page',
        role,
        name: 'Page',
        bounds: { x: 0, y: 0, width: 400, height: 300 },
        children: [below({ onPress: () => pressed++ })],
      };
      const on = await stage(oneWindow([page]));
      const contentAt = on.desktop.contentAt.bind(on.desktop);
      on.desktop.contentAt = async (point) => ({
        ...(await contentAt(point)),
        lineage: [{ app: 'app', path: 'page' }],
        ...(isWhatIsDrawn ? { isWhatIsDrawn } : {}),
      });
      return { on, ref: await refOf(on.engine, 'Below'), presses: () => pressed };
    };

    it('is clicked with the pointer, which hits what a person would hit', async () => {
      const { on, ref, presses } = await veiled(true);
      expect((await on.engine.click({ ...DEADLINE, ref })).via).toContain('pointer');
      expect(on.desktop.input.record).toContainEqual(expect.stringContaining('left down'));
      expect(await failureOf(on.engine.click({ ...DEADLINE, ref, mode: 'background' }))).toMatchObject({
        code: 'ACTION_NOT_SUPPORTED',
        delivered: false,
      });
      // By the pointer; in this world, nothing is there that would keep it off.
      expect(presses()).toBe(1);
    });

    it.each([
      [false, 'document'],
      [true, 'group'],
    ] as const)('is nothing known elsewhere: %j, in a %s', async (isWhatIsDrawn, role) => {
      const { on, ref, presses } = await veiled(isWhatIsDrawn, role);
      await on.engine.click({ ...DEADLINE, ref, mode: 'background' });
      expect(presses()).toBe(1);
    });
  });

  it('is waited for', async () => {
    let pressed = 0;
    const on = await stage(oneWindow([below({ onPress: () => pressed++ }), { ...above }]));
    const ref = await refOf(on.engine, 'Below');
    on.world.clock.after(300, () => on.world.remove('app', 'above'));
    await on.engine.click({ ...DEADLINE, ref });
    expect(pressed).toBe(1);
  });

  it('does not matter if it is another window, or a part of the element', async () => {
    const label: SimulatedNode = {
      id: 'label',
      role: 'text',
      name: 'Label',
      bounds: { x: 10, y: 10, width: 80, height: 30 },
    };
    let pressed = 0;
    const on = await stage([
      ...oneWindow([below({ onPress: () => pressed++, children: [label] })]),
      app({ id: 'other', pid: 200, windows: [windowWith([], { id: 'cover' })] }),
    ]);
    const [own, cover] = on.world.apps.flatMap(({ windows }) => windows);
    if (own) own.focused = true;
    const ref = await refOf(on.engine, 'Below');
    if (own) own.focused = false;
    if (cover) cover.focused = true;
    await on.engine.click({ ...DEADLINE, ref });
    expect(pressed).toBe(1);
  });
});

it('refuses in the background to open what takes the next click and key', async () => {
  const opened: string[] = [];
  const menu: SimulatedNode = {
    id: 'menu',
    role: 'menu',
    name: 'File',
    grabs: true,
    actions: ['click'],
    states: ['collapsed'],
    onPress: () => opened.push('pressed'),
    onAct: { expand: () => opened.push('expanded') },
  };
  const on = await stage(oneWindow([menu]));
  const handle = { app: 'app', path: 'menu' };
  const background = { ...DEADLINE, mode: 'background', ref: await menuRef(on) } as const;
  for (const act of [on.engine.click(background), on.engine.act({ ...background, act: 'expand' })])
    expect(await failureOf(act)).toMatchObject({ code: 'ACTION_NOT_SUPPORTED', delivered: false });
  expect(opened).toEqual([]);
  await on.desktop.perform(handle, 'expand', DEADLINE);
  await on.world.clock.sleep(1);
  expect(opened).toEqual(['expanded']);
});

async function menuRef(on: Stage): Promise<string> {
  const { matches } = await on.engine.find({
    ...DEADLINE,
    query: 'File',
    by: 'exact',
    limit: 1,
    wholeTree: true,
  });
  return matches[0]?.ref ?? '';
}

describe('the caret of a field', () => {
  const field = (more: Partial<SimulatedNode>): SimulatedNode => ({
    id: 'field',
    role: 'textbox',
    name: 'Name',
    value: 'Ada',
    accepts: 'text',
    states: ['editable'],
    caret: { offset: 3 },
    bounds: { x: 10, y: 10, width: 200, height: 30 },
    ...more,
  });
  const all = { offset: 3, selection: [0, 3] } as const;

  it('is where it was before the field got the focus, although focusing selects all', async () => {
    const focus = (world: SimulatedWorld): void => {
      world.node('app', 'field').caret = all;
      world.focus('app', 'field');
    };
    const on = await stage(oneWindow([field({ onAct: { focus } })]));
    const ref = await refOf(on.engine, 'Name');
    await on.engine.type({ ...DEADLINE, ref, text: 'x', delayMs: 5, clearFirst: false });
    expect(on.world.node('app', 'field').caret).toEqual({ offset: 3 });
  });

  it('is left alone in a field that has the focus', async () => {
    const on = await stage([...oneWindow([field({ caret: all, states: ['editable', 'focused'] })])]);
    const ref = await refOf(on.engine, 'Name');
    await on.engine.type({ ...DEADLINE, ref, text: 'x', delayMs: 5, clearFirst: false });
    expect(on.world.node('app', 'field').caret).toEqual(all);
  });
});

it.each([true, false])(
  'a text that the application may not have taken yet is told as pending, set or typed: %s',
  async (pends) => {
    const node: SimulatedNode = {
      id: 'it',
      role: 'textbox',
      name: 'Name',
      value: 'old',
      accepts: 'text',
      pends,
    };
    const on = await stage(oneWindow([{ ...node, states: ['editable'] }]));
    const ref = await refOf(on.engine, 'Name');
    const set = await on.engine.setValue({ ...DEADLINE, ref, value: 'new' });
    const typed = await on.engine.type({ ...DEADLINE, ref, text: 'er', delayMs: 0, clearFirst: false });
    for (const { effect, evidence } of [set, typed])
      expect([effect, evidence.join().includes('pending')]).toEqual(['confirmed', pends]);
  },
);

it.each([
  ['as pending if it opened a list over the window', 'win-root', true],
  ['without that if it only brought rows into a part of the window', 'form', false],
])('a text is told %s', async (_what, where, isPending) => {
  const field: SimulatedNode = { id: 'it', role: 'textbox', name: 'Name', value: 'old', accepts: 'text' };
  const option: SimulatedNode = { id: 'option', role: 'listitem', name: 'new york' };
  const on = await stage(
    oneWindow([{ id: 'form', role: 'form', children: [{ ...field, states: ['editable'] }] }]),
  );
  const { desktop, world } = on;
  const set = desktop.setValue.bind(desktop);
  desktop.setValue = (...given) => {
    world.node('app', where).children?.push({ id: 'list', role: 'listbox', children: [option] });
    return set(...given);
  };
  const request = { ...DEADLINE, ref: await refOf(on.engine, 'Name') };
  const { effect, evidence } = await on.engine.setValue({ ...request, value: 'new' });
  const told = evidence.join().includes('pending: a list of suggestions is open');
  expect([effect, told]).toEqual(['confirmed', isPending]);
});

describe('while the list of a combo box is open', () => {
  const link = (role: 'link' | 'button' = 'link') =>
    button('go', 'Go', {
      role,
      bounds: { x: 10, y: 200, width: 60, height: 20 },
      onPress: (world) => world.change('app', 'go', { name: 'Gone' }),
    });
  const address = (states: State[], children: SimulatedNode[] = []): SimulatedNode => ({
    id: 'address',
    role: 'combobox',
    name: 'Address',
    states,
    bounds: { x: 10, y: 10, width: 200, height: 20 },
    children,
  });
  const clickOn = async (on: Stage, mode?: 'background') =>
    on.engine.click({ ...DEADLINE, ref: await refOf(on.engine, 'Go'), mode });

  it('what is elsewhere is clicked by the pointer, which closes the list', async () => {
    const on = await stage(oneWindow([address(['expanded', 'focused']), link()]));
    expect((await clickOn(on)).via).toMatch(/^accessibility: not offered; then pointer/);
  });

  it.each([
    ['the user is not disturbed in the background', [address(['expanded']), link()], 'background'],
    ['what is in the list is pressed', [address(['expanded'], [link('button')])], undefined],
    ['nothing changes if it is closed', [address(['collapsed']), link()], undefined],
  ] as const)('%s', async (_what, nodes, mode) => {
    expect((await clickOn(await stage(oneWindow([...nodes])), mode)).via).toMatch(/^simulated:press/);
  });
});

describe('a click', () => {
  it.each([
    [undefined, true, 'before-pointer'],
    ['background', true, 'background'],
    [undefined, false, 'alone'],
  ] as const)('in mode %s, with a pointer: %s, is done in the manner %s', async (mode, input, told) => {
    const on = await stage(oneWindow([button('save', 'Save')]));
    Object.assign(on.desktop, { capabilities: { ...on.desktop.capabilities, input } });
    const asked = vi.spyOn(on.desktop, 'requireAction');
    await on.engine.click({ ...DEADLINE, ref: await refOf(on.engine, 'Save'), mode });
    expect(asked.mock.calls.map(([, , options]) => options.manner)).toEqual([told]);
  });
});
