import { describe, expect, it } from 'vitest';
import { whyDestructive } from '../../src/model/destructive/destructive-act.ts';
import { parseKey, parseKeyCombination } from '../../src/model/text/key-combination.ts';
import type { EffectRequest, GuardedAct } from '../../src/engine/requests/acting.ts';
import type { SimulatedNode, SimulatedWindow } from '../simulated/simulated-world.ts';
import { app, button, DEADLINE, stage, windowWith, type Stage } from './support/stage.ts';

const REFUSED = new Error('asked');

/** Why a call is asked about, if it is; nothing is sent then. */
async function asked(
  children: SimulatedNode[],
  act: (on: Stage, call: EffectRequest) => Promise<unknown>,
  window: Partial<SimulatedWindow> = {},
): Promise<string | undefined> {
  const on = await stage([app({ windows: [windowWith(children, { focused: true, ...window })] })]);
  let found: string | undefined;
  const guard = async (about: GuardedAct): Promise<void> => {
    const why = whyDestructive(about);
    if (why === undefined) return;
    found = `${about.act} ${about.name}: ${why}`;
    throw REFUSED;
  };
  await act(on, { ...DEADLINE, guard }).catch((error: unknown) => {
    if (error !== REFUSED) throw error;
  });
  return found;
}

const press =
  (keys: string) =>
  (on: Stage, call: EffectRequest): Promise<unknown> =>
    on.engine.press({ ...call, keys: parseKeyCombination(keys) });

const focused = { states: ['focused' as const, 'focusable' as const] };
const deletes = (more: Partial<SimulatedNode> = {}): SimulatedNode => button('delete', 'Delete', more);
const keeps = (more: Partial<SimulatedNode> = {}): SimulatedNode => button('keep', 'Keep', more);
const field = (more: Partial<SimulatedNode> = {}): SimulatedNode => ({
  id: 'name',
  role: 'textbox',
  name: 'Name',
  accepts: 'text',
  ...focused,
  ...more,
});

const LOST = 'its name says that something is lost, sent or paid';
const UNSAID = `${LOST}, and its application does not say what these keys press`;

describe('keys are asked about', () => {
  it.each(['Enter', 'space'])('%s on a focused button that loses something', async (keys) => {
    expect(await asked([deletes(focused), keeps()], press(keys))).toBe(`click Delete: ${LOST}`);
    expect(await asked([deletes(), keeps(focused)], press(keys))).toBeUndefined();
    expect(await asked([deletes(focused), keeps()], press('Tab'))).toBeUndefined();
  });

  it('Enter in a field, by the default button of its window', async () => {
    expect(await asked([field(), deletes({ isDefault: true }), keeps()], press('Enter'))).toBe(
      `click Delete: ${LOST}`,
    );
    expect(
      await asked([field(), deletes(), keeps({ isDefault: true })], press('Enter'), { modal: true }),
    ).toBeUndefined();
  });

  it('Enter in a field of a dialog that does not say which button is the default one', async () => {
    expect(await asked([field(), deletes(), keeps()], press('Enter'), { modal: true })).toBe(
      `click Delete: ${UNSAID}`,
    );
    expect(await asked([field(), deletes(), keeps()], press('Enter'))).toBeUndefined();
    const lines = field({ states: ['focused', 'multiline'] });
    expect(await asked([lines, deletes({ isDefault: true })], press('Enter'))).toBeUndefined();
  });

  it.each([
    ['alt+d', ['<Alt>d'], true],
    ['alt+e', ['<Alt>d'], false],
    ['alt+d', ['Alt+D'], true],
    ['ctrl+shift+Delete', ['d;<Alt>e:d;<Shift><Control>Delete'], true],
    ['alt+e', ['d;<Alt>e:d;<Shift><Control>Delete'], false],
    ['alt+k', ['k'], true],
    ['alt+shift+k', ['k'], true],
    ['ctrl+k', ['k'], false],
    ['k', ['k'], false],
    ['alt+d', [], true],
    ['alt+e', [], false],
    ['ctrl+s', [], false],
    ['d', ['d;;'], false],
  ])('%s, as a button is bound to %j: %s', async (keys, keyBindings, isAsked) => {
    const told = await asked([field(), deletes({ keyBindings })], press(keys));
    expect(told).toBe(isAsked ? `click Delete: ${LOST}` : undefined);
  });

  it('a letter in an open menu, and the shortcut of an item of a closed one', async () => {
    const item = (more: Partial<SimulatedNode>): SimulatedNode => ({
      id: 'item',
      role: 'menuitem',
      name: 'Delete',
      keyBindings: ['d;<Alt>e:d;F9'],
      ...more,
    });
    const first: SimulatedNode = { id: 'first', role: 'menuitem', name: 'Copy', ...focused };
    expect(await asked([first, item({})], press('d'))).toBe(`click Delete: ${LOST}`);
    expect(await asked([field(), item({ states: ['hidden'] })], press('F9'))).toBe(`click Delete: ${LOST}`);
    expect(await asked([field(), item({})], press('F8'))).toBeUndefined();
  });

  it('Delete is for text in a field, and a shortcut elsewhere', async () => {
    const item: SimulatedNode = { id: 'item', role: 'menuitem', name: 'Delete', keyBindings: ['d;;Delete'] };
    expect(await asked([field(), item], press('Delete'))).toBeUndefined();
    const list: SimulatedNode = { id: 'list', role: 'list', name: 'Files', ...focused };
    expect(await asked([list, item], press('Delete'))).toBe(`click Delete: ${LOST}`);
  });

  it('a combination that is made by several calls', async () => {
    const told = await asked([field(), deletes({ keyBindings: ['<Alt>d'] })], async ({ engine }, call) => {
      await engine.holdKey({ ...call, key: parseKey('Alt'), isDown: true });
      await engine.holdKey({ ...call, key: parseKey('d'), isDown: true });
    });
    expect(told).toBe(`click Delete: ${LOST}`);
  });

  it.each(['Enter', 'space'])('%s held down, wherever the focus is now', async (key) => {
    const hold = ({ engine }: Stage, call: EffectRequest) =>
      engine.holdKey({ ...call, key: parseKey(key), isDown: true });
    expect(await asked([keeps(focused)], hold)).toContain('the key repeats while it is held');
  });

  it.each([
    ['delete', ' ', `type Delete: ${LOST}`],
    ['name', 'Ada\t ', `click Delete: ${UNSAID}`],
    ['name', 'Ada\n', `click Delete: ${UNSAID}`],
    ['name', 'Ada Lovelace', undefined],
  ])('text typed into %s: %j', async (id, text, told) => {
    const locate = (on: Stage, call: EffectRequest) =>
      on.engine
        .type({
          ...call,
          ref: id === 'name' ? 'role:textbox[name="Name"]' : 'role:button[name="Delete"]',
          text,
          delayMs: 0,
          clearFirst: false,
        })
        .catch((error: unknown) => {
          if (error === REFUSED) throw error;
        });
    const perform = { onAct: { focus: () => undefined } };
    expect(await asked([field(perform), deletes({ ...perform, ...focused })], locate, { modal: true })).toBe(
      told,
    );
  });
});

describe('other ways to press', () => {
  const ref = 'role:button[name="Delete"]';
  it.each<[string, (on: Stage, call: EffectRequest) => Promise<unknown>]>([
    ['menu', (on, call) => on.engine.menu({ ...call, path: ['Edit', 'Delete'] })],
    ['expand', (on, call) => on.engine.act({ ...call, ref, act: 'expand' })],
    ['double click', (on, call) => on.engine.gesture({ ...call, ref, gesture: 'double-click' })],
    ['mouse down', (on, call) => on.engine.mouse.hold({ ...call, button: 'left', isDown: true })],
    [
      'mouse click',
      (on, call) => on.engine.mouse.click({ ...call, point: { x: 20, y: 20 }, button: 'left', count: 1 }),
    ],
  ])('%s', async (_, act) => {
    const edit: SimulatedNode = {
      id: 'bar',
      role: 'menubar',
      children: [
        {
          id: 'edit',
          role: 'menu',
          name: 'Edit',
          children: [{ id: 'item', role: 'menuitem', name: 'Delete', actions: ['click'] }],
        },
      ],
    };
    const told = await asked([deletes({ states: ['collapsed'] }), edit], async (on, call) => {
      await on.engine.mouse.move({ ...DEADLINE, point: { x: 20, y: 20 }, isRelative: false });
      await act(on, call);
    });
    expect(told).toMatch(new RegExp(`Delete: ${LOST}$`));
  });

  const place = { bounds: { x: 10, y: 10, width: 80, height: 20 } };
  const clickGroup = ({ engine }: Stage, call: EffectRequest): Promise<unknown> =>
    engine.click({ ...call, ref: 'role:group[name="Actions"]' });
  const atPlace = ({ engine }: Stage, call: EffectRequest): Promise<unknown> =>
    engine.mouse.click({ ...call, point: { x: 20, y: 20 }, button: 'left', count: 1 });

  it('the text in a link, at its place', async () => {
    const text: SimulatedNode = { id: 'text', role: 'text', name: 'everything', ...place };
    const link = (name: string): SimulatedNode => ({
      id: 'link',
      role: 'link',
      name,
      ...place,
      children: [text],
    });
    expect(await asked([link('Delete everything')], atPlace)).toBe(`click Delete everything: ${LOST}`);
    expect(await asked([link('Show everything')], atPlace)).toBeUndefined();
  });

  it('what is in the middle of what is clicked', async () => {
    const around = (x: number): SimulatedNode => ({
      id: 'group',
      role: 'group',
      name: 'Actions',
      ...place,
      children: [deletes({ bounds: { x, y: 12, width: 30, height: 10 } })],
    });
    expect(await asked([around(40)], clickGroup)).toBe(`click Delete: ${LOST}`);
    expect(await asked([around(12)], clickGroup)).toBeUndefined();
    const rightClick = ({ engine }: Stage, call: EffectRequest): Promise<unknown> =>
      engine.gesture({ ...call, ref: 'role:group[name="Actions"]', gesture: 'right-click' });
    expect(await asked([around(40)], rightClick)).toBeUndefined();
  });

  it('dropping something on the trash', async () => {
    const file = button('file', 'Notes.txt');
    const trash = button('trash', 'Trash');
    const drop = ({ engine }: Stage, call: EffectRequest) =>
      engine.drag({
        ...call,
        from: { ref: 'role:button[name="Notes.txt"]' },
        to: { ref: 'role:button[name="Trash"]' },
        durationMs: 0,
      });
    expect(await asked([file, trash], drop)).toContain('what is dropped there is thrown away');
  });
});
