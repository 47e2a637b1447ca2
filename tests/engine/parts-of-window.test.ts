import { expect, it } from 'vitest';
import { parseKeyCombination } from '../../src/model/text/key-combination.ts';
import type { SimulatedNode, SimulatedWorld } from '../simulated/simulated-world.ts';
import { app, DEADLINE, stage, windowWith } from './support/stage.ts';

const item = (id: string): SimulatedNode => ({ id, role: 'menuitem', name: `Found ${id}` });

/** Escape closes a popup, and what is said about it; `inside` loses only a part of what it has. */
async function effectOf(from: string, detail: string, isInside = false): Promise<string> {
  const popup: SimulatedNode = { id: 'popup', role: 'menu', children: [item('one'), item('two')] };
  const onKey = (world: SimulatedWorld): void => {
    const parent = world.node('app', isInside ? 'popup' : 'win-root');
    parent.children = parent.children?.filter(({ id }) => id !== (isInside ? 'one' : 'popup')) ?? [];
    world.emit('app', from, 'text-changed', detail);
  };
  const field: SimulatedNode = {
    id: 'field',
    role: 'textbox',
    name: 'Search',
    states: ['focused', 'editable'],
  };
  const on = await stage([app({ windows: [windowWith([field, popup], { focused: true, onKey })] })]);
  return (await on.engine.press({ ...DEADLINE, keys: parseKeyCombination('Escape') })).effect;
}

it('a part of the window that came or went is told by the text of the window, as in Gecko', async () => {
  expect(await effectOf('win-root', 'delete/system')).toBe('confirmed');
  expect(await effectOf('win-root', 'insert/system')).toBe('unverified');
  expect(await effectOf('field', 'delete/system')).toBe('unverified');
});

it('but not what came or went within a part that stayed', async () => {
  expect(await effectOf('win-root', 'delete/system', true)).toBe('unverified');
});
