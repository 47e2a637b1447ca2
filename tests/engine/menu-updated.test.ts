import { describe, expect, it } from 'vitest';
import type { Receipt } from '../../src/model/effects/effect.ts';
import type { SimulatedNode, SimulatedWorld } from '../simulated/simulated-world.ts';
import { DEADLINE, failureOf, oneWindow, stage } from './support/stage.ts';
import { spelled } from '../spelled.ts';

type Run = (world: SimulatedWorld) => void;

/** A menu bar with one menu and one item, which is disabled while the menu is closed, as LibreOffice has them. */
async function work(calls: {
  readonly expand: Run;
  readonly onPress: Run;
  readonly acts?: string[];
}): Promise<Receipt> {
  const sidebar: SimulatedNode = {
    id: 'item',
    role: 'menuitem',
    name: 'Sidebar',
    actions: ['click'],
    states: ['disabled', 'hidden'],
    bounds: { x: 0, y: 20, width: 80, height: 20 },
    onPress: calls.onPress,
  };
  const view: SimulatedNode = {
    id: 'view',
    role: 'menu',
    name: 'View',
    states: ['collapsed'],
    bounds: { x: 0, y: 0, width: 40, height: 20 },
    children: [sidebar],
    onAct: {
      expand: (world) => {
        world.change('app', 'view', { states: ['expanded'] });
        calls.expand(world);
      },
      collapse: (world) => world.change('app', 'view', { states: ['collapsed'] }),
    },
  };
  const bar: SimulatedNode = { id: 'bar', role: 'menubar', bounds: view.bounds, children: [view] };
  const on = await stage(oneWindow([bar]));
  const perform = on.desktop.perform.bind(on.desktop);
  on.desktop.perform = (node, act, options) => {
    calls.acts?.push(act);
    return perform(node, act, options);
  };
  return on.engine.menu({ ...DEADLINE, path: ['View', 'Sidebar'] });
}

describe('an item that is disabled in a closed menu', () => {
  it('is used if opening the menu enables it', async () => {
    let pressed = 0;
    const receipt = await work({
      expand: (world) => world.change('app', 'item', { states: [] }),
      onPress: () => void (pressed += 1),
    });
    expect(receipt).toMatchObject({ delivered: true, target: { name: 'Sidebar' } });
    expect(pressed).toBe(1);
  });

  it('is refused if it is still disabled then, and the menu is closed again', async () => {
    const shows: Run = (world) => world.change('app', 'item', { states: ['disabled'] });
    const never: Run = () => {
      throw new Error('something was sent');
    };
    const acts: string[] = [];
    const error = await failureOf(work({ expand: shows, onPress: never, acts }));
    expect(error).toMatchObject({ code: 'NOT_ACTIONABLE', delivered: false });
    expect(spelled(error.suggestion)).not.toContain('desk expand');
    expect(acts).toEqual(['expand', 'collapse']);
  });
});
