import { describe, expect, it } from 'vitest';
import type { SimulatedNode, SimulatedWorld } from '../simulated/simulated-world.ts';
import { click, pressing, STATUS } from './support/acting.ts';
import { DEADLINE, oneWindow, refOf, stage } from './support/stage.ts';

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
    const inTooltip = (world: SimulatedWorld): void => {
      world.insert('app', 'win-root', {
        id: 'tip',
        role: 'tooltip',
        children: [{ id: 'bar', role: 'status' }],
      });
      world.emit('app', 'bar', 'state-changed', 'showing=1');
    };
    expect(await pressed(inTooltip)).toBe('unverified');
  });
});

/** Something new inside a group that was there, which the application only tells by its focus. */
function slideIn(node: SimulatedNode, focused = node.id): (world: SimulatedWorld) => void {
  return (world) => {
    world.node('app', 'box').children = [node];
    world.emit('app', focused, 'focus-changed', 'focused=1');
  };
}

it('a separator that goes with its menu proves nothing of the item that was clicked', async () => {
  const close = (world: SimulatedWorld): void => {
    world.emit('app', 'line', 'state-changed', 'showing=0');
    world.remove('app', 'menu');
  };
  const menu: SimulatedNode = {
    id: 'menu',
    role: 'menu',
    children: [pressing(close, { role: 'menuitem' }), { id: 'line', role: 'separator' }],
  };
  const receipt = await click(await stage(oneWindow([{ ...BOX, children: [menu] }])));
  expect(receipt.effect).toBe('unverified');
});

describe('something new that took the focus', () => {
  it('confirms a click, with a name or without', async () => {
    expect(await pressed(slideIn({ id: 'back', role: 'menuitem', name: 'Back' }))).toBe('confirmed');
    expect(await pressed(slideIn({ id: 'search', role: 'textbox' }))).toBe('confirmed');
  });

  it('does not if something else took the focus, which was there before', async () => {
    expect(await pressed(slideIn({ id: 'back', role: 'menuitem', name: 'Back' }, 'go'))).toBe('unverified');
  });

  it('does not if it was only made anew', async () => {
    const field = (id: string): SimulatedNode => ({ id, role: 'textbox' });
    const on = await stage(
      oneWindow([{ ...BOX, children: [field('old')] }, pressing(slideIn(field('new')))]),
    );
    expect((await click(on)).effect).toBe('unverified');
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

describe('a toggle button that reports nothing itself', () => {
  const toggled = async (answer: (world: SimulatedWorld) => void): Promise<string> => {
    const toggle = (world: SimulatedWorld): void => {
      world.node('app', 'bold').states = ['pressed'];
      answer(world);
    };
    const bold: SimulatedNode = {
      id: 'bold',
      role: 'togglebutton',
      name: 'Bold',
      states: [],
      onAct: { toggle },
    };
    const on = await stage(oneWindow([bold, { ...STATUS }]));
    return (
      await on.engine.act({
        ...DEADLINE,
        mode: 'background',
        act: 'toggle',
        ref: await refOf(on.engine, 'Bold'),
      })
    ).effect;
  };

  it('is confirmed by what the application shows for it, and only by that', async () => {
    expect(await toggled((world) => world.change('app', 'status', { name: 'Bold' }))).toBe('confirmed');
    expect(await toggled(() => undefined)).toBe('unverified');
  });
});
