import { describe, expect, it } from 'vitest';
import type { Receipt } from '../../src/model/effects/effect.ts';
import { parseKeyCombination } from '../../src/model/text/key-combination.ts';
import type { SimulatedNode, SimulatedWorld } from '../simulated/simulated-world.ts';
import { app, DEADLINE, stage, windowWith } from './support/stage.ts';

const keys = parseKeyCombination('Tab');

function field(id: string, more: Partial<SimulatedNode> = {}): SimulatedNode {
  return { id, role: 'textbox', name: id, states: [], ...more };
}

/** Moves the focus from one field to another, with the events that toolkits send. */
function focus(world: SimulatedWorld, from: string, to: string): void {
  world.node('app', from).states = [];
  world.node('app', to).states = ['focused'];
  world.emit('app', to, 'focus-changed', 'focused=1');
}

async function press(...children: SimulatedNode[]): Promise<Receipt> {
  const on = await stage([app({ windows: [windowWith(children, { focused: true })] })]);
  return on.engine.press({ ...DEADLINE, keys });
}

describe('keys that only move something', () => {
  it('are confirmed by the focus that moves', async () => {
    const name = field('Name', { states: ['focused'], onKey: (world) => focus(world, 'Name', 'Street') });
    const receipt = await press(name, field('Street'));
    expect(receipt).toMatchObject({
      effect: 'confirmed',
      evidence: ['the keyboard focus moved to textbox "Street"', 'application events: focus-changed'],
    });
  });

  it('are not confirmed by a focus that may have come with the window, or that no event reports', async () => {
    const late = field('Name', { onKey: (world) => focus(world, 'Name', 'Street') });
    expect((await press(late, field('Street'))).effect).toBe('unverified');
    const silent = field('Name', {
      states: ['focused'],
      onKey: (world) => {
        world.node('app', 'Name').states = [];
        world.node('app', 'Street').states = ['focused'];
      },
    });
    expect((await press(silent, field('Street'))).effect).toBe('unverified');
  });

  it('are confirmed by the caret that moves, or by what is marked', async () => {
    const move = (to: SimulatedNode['caret']): SimulatedNode =>
      field('Text', {
        states: ['focused'],
        caret: { offset: 3 },
        onKey: (world) => {
          world.node('app', 'Text').caret = to ?? { offset: 0 };
          world.emit('app', 'Text', 'caret-moved', '');
        },
      });
    expect(await press(move({ offset: 7 }))).toMatchObject({
      effect: 'confirmed',
      evidence: ['fresh read: the caret is at 7 (was at 3)', 'application events: caret-moved'],
    });
    expect((await press(move({ offset: 3, selection: [0, 3] }))).effect).toBe('confirmed');
    expect((await press(move({ offset: 3 }))).effect).toBe('unverified');
  });

  it('are confirmed by the item of an open menu that is highlighted', async () => {
    const menu: SimulatedNode = {
      id: 'menu',
      role: 'menu',
      name: 'Edit',
      states: ['focused'],
      onKey: (world) => {
        world.node('app', 'copy').states = ['selected'];
        world.emit('app', 'copy', 'state-changed', 'selected=1');
      },
      children: [{ id: 'copy', role: 'menuitem', name: 'Copy', states: [] }],
    };
    expect((await press(menu)).effect).toBe('confirmed');
  });
});

it.each([
  ['opened', [], 'confirmed'],
  ['was about to open when they were released', ['news'], 'unverified'],
] as const)('keys, and a window that %s', async (_what, unshown, effect) => {
  const opening = (world: SimulatedWorld) =>
    void world.apps[0]?.windows.push(windowWith([], { id: 'news', title: 'News' }));
  const name = field('Name', { states: ['focused'], onKey: opening });
  const on = await stage([app({ windows: [windowWith([name], { focused: true })] })]);
  on.desktop.input.unshown = unshown;
  expect((await on.engine.press({ ...DEADLINE, keys })).effect).toBe(effect);
});

it.each([
  ['x', false, 'unverified'],
  ['Shift+X', false, 'unverified'],
  ['x', true, 'confirmed'],
  ['Enter', false, 'confirmed'],
  ['Control+x', false, 'confirmed'],
] as const)('a window that opens when %s goes to a field (taken: %s) is %s', async (key, isTaken, effect) => {
  const name = field('Name', {
    states: ['focused', 'editable'],
    onKey: (world) => {
      world.apps[0]?.windows.push(windowWith([], { id: 'news', title: 'News' }));
      if (isTaken) world.emit('app', 'Name', 'text-changed', 'insert');
    },
  });
  const on = await stage([app({ windows: [windowWith([name], { focused: true })] })]);
  const pressed = { ...DEADLINE, keys: parseKeyCombination(key) };
  expect((await on.engine.press(pressed)).effect).toBe(effect);
});

it('nor is it by what a dialog that opens by itself does to the field', async () => {
  const disabling = (world: SimulatedWorld): void => {
    world.apps[0]?.windows.push(windowWith([], { id: 'news', title: 'News', modal: true }));
    world.change('app', 'Name', { states: ['focused', 'editable', 'disabled'] });
  };
  const name = field('Name', { states: ['focused', 'editable'], onKey: disabling });
  const on = await stage([app({ windows: [windowWith([name], { focused: true })] })]);
  expect((await on.engine.press({ ...DEADLINE, keys: parseKeyCombination('x') })).effect).toBe('unverified');
});
