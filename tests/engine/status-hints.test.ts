import { describe, expect, it } from 'vitest';
import type { SimulatedNode, SimulatedWorld } from '../simulated/simulated-world.ts';
import { click } from './support/acting.ts';
import { button, oneWindow, stage } from './support/stage.ts';

const AT = { x: 10, y: 40, width: 90, height: 20 };

/** An item of an open menu, which closes when the item is used; the text at the bottom changes with it. */
async function used(role: 'status' | 'text'): Promise<string> {
  const hint: SimulatedNode = { id: 'hint', role, name: 'Read the folder again' };
  const close = (world: SimulatedWorld): void => {
    world.remove('app', 'reload');
    world.change('app', 'opener', { states: [] });
    world.change('app', 'hint', { name: '21 files' });
  };
  const reload: SimulatedNode = {
    id: 'reload',
    role: 'menuitem',
    name: 'Reload',
    actions: ['click'],
    bounds: AT,
    onPress: close,
  };
  const menu: SimulatedNode = { id: 'menu', role: 'menu', name: 'View', children: [reload] };
  const opener = {
    ...button('opener', 'View', { role: 'togglebutton', states: ['pressed'] }),
    children: [menu],
  };
  return (await click(await stage(oneWindow([opener, hint])), 'Reload')).effect;
}

describe('what a status bar says while a menu is open', () => {
  it('is no effect of the item once it says something else', async () => {
    expect(await used('status')).toBe('unverified');
  });

  it('is nothing that other texts say', async () => {
    expect(await used('text')).toBe('confirmed');
  });
});
