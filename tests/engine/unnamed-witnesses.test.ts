import { describe, expect, it } from 'vitest';
import type { SimulatedNode, SimulatedWorld } from '../simulated/simulated-world.ts';
import { click, pressing } from './support/acting.ts';
import { oneWindow, stage } from './support/stage.ts';

const BOX: SimulatedNode = { id: 'box', role: 'group', children: [] };

function show(node: SimulatedNode): (world: SimulatedWorld) => void {
  return (world) => {
    world.node('app', 'box').children = [node];
    world.emit('app', node.id, 'state-changed', 'showing=1');
  };
}

async function pressed(run: (world: SimulatedWorld) => void): Promise<string> {
  return (await click(await stage(oneWindow([{ ...BOX, children: [] }, pressing(run)])))).effect;
}

describe('an element without a name', () => {
  it('that appears confirms a click, as its own event says so', async () => {
    expect(await pressed(show({ id: 'bar', role: 'status' }))).toBe('confirmed');
  });

  it('confirms nothing without its event, or if it comes with the pointer', async () => {
    const silent = (world: SimulatedWorld): void => {
      world.node('app', 'box').children = [{ id: 'bar', role: 'status' }];
    };
    expect(await pressed(silent)).toBe('unverified');
    expect(await pressed(show({ id: 'tip', role: 'tooltip' }))).toBe('unverified');
  });
});

describe('a menu that opens below its item', () => {
  it('confirms the click on the item, although both are parts of menus', async () => {
    const open = pressing(
      (world) => {
        world.node('app', 'go').children = [
          { id: 'popup', role: 'menu', children: [{ id: 'undo', role: 'menuitem', name: 'Undo' }] },
        ];
        world.emit('app', 'go', 'children-changed', 'add');
      },
      { role: 'menuitem' },
    );
    const bar: SimulatedNode = { id: 'bar', role: 'menubar', children: [open] };
    expect((await click(await stage(oneWindow([bar])))).effect).toBe('confirmed');
  });
});
