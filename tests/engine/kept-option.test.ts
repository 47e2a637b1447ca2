import { describe, expect, it } from 'vitest';
import type { Receipt } from '../../src/model/effects/effect.ts';
import type { SimulatedNode, SimulatedWorld } from '../simulated/simulated-world.ts';
import { DEADLINE, oneWindow, refOf, stage } from './support/stage.ts';

type Run = (world: SimulatedWorld) => void;

/** Clicks an option in the open list of a combo box that shows "Docked"; with the right button if so wanted. */
async function click(
  option: string,
  onPress: Run,
  names = ['Docked', 'Free'],
  isRight = false,
): Promise<Receipt> {
  const items = names.map((name, index): SimulatedNode => ({
    id: `item ${index}`,
    role: 'listitem',
    name,
    bounds: { x: 10, y: 60 + index * 20, width: 80, height: 20 },
    actions: ['click'],
    onPress,
    onPointer: { right: onPress },
  }));
  const box: SimulatedNode = {
    id: 'box',
    role: 'combobox',
    name: 'Mode',
    value: 'Docked',
    states: ['expanded'],
    children: [{ id: 'list', role: 'list', children: items }],
  };
  const on = await stage(oneWindow([box, { id: 'status', role: 'text', name: 'Ready' }]));
  const ref = await refOf(on.engine, option);
  return isRight
    ? on.engine.gesture({ ...DEADLINE, ref, gesture: 'right-click' })
    : on.engine.click({ ...DEADLINE, ref });
}

const hide: Run = (world) => {
  world.node('app', 'box').states = ['collapsed'];
  world.node('app', 'list').children = [];
};

const close: Run = (world) => {
  hide(world);
  world.emit('app', 'list', 'state-changed', 'showing=0');
};

it('a click on the option that a combo box shows is confirmed by the list that closes', async () => {
  expect(await click('Docked', close)).toMatchObject({
    effect: 'confirmed',
    evidence: [
      'already: the list closed, and its combo box shows "Docked"',
      'application events: state-changed showing=0',
    ],
  });
});

it('so is one with the right button, which chooses in Qt', async () => {
  expect((await click('Docked', close, undefined, true)).effect).toBe('confirmed');
  expect((await click('Free', close, undefined, true)).effect).toBe('unverified');
  expect((await click('Docked', hide, undefined, true)).effect).toBe('unverified');
});

it('also where the chosen option goes on showing in its closed list', async () => {
  const collapse: Run = (world) => {
    world.node('app', 'box').states = ['collapsed'];
    world.emit('app', 'box', 'state-changed', 'expanded=0');
  };
  expect((await click('Docked', collapse)).effect).toBe('confirmed');
  expect((await click('Free', collapse)).effect).toBe('unverified');
});

it('but not without an event, while the list is open, nor if the box shows another option', async () => {
  expect((await click('Docked', hide)).effect).toBe('unverified');
  expect((await click('Free', close)).effect).toBe('unverified');
  const another: Run = (world) => {
    close(world);
    world.node('app', 'box').value = 'Free';
  };
  expect((await click('Docked', another)).effect).not.toBe('confirmed');
  const open: Run = (world) => world.emit('app', 'list', 'state-changed', 'showing=0');
  expect((await click('Docked', open)).effect).toBe('unverified');
});

describe('the list of a combo box in a page, which is open outside it', () => {
  const AT = { x: 10, y: 200, width: 80, height: 20 };

  async function keep(name: string, shows: readonly string[]): Promise<Receipt> {
    const item = (label: string): SimulatedNode => ({
      id: `item ${label}`,
      role: 'menuitem',
      name: label,
      bounds: { x: 10, y: label === 'Small' ? 60 : 80, width: 80, height: 20 },
      actions: ['click'],
      onPress: (world) => {
        world.emit('app', 'outside', 'state-changed', 'showing=0');
        world.remove('app', 'outside');
        world.focus('app', 'box 0');
      },
    });
    const outside: SimulatedNode = {
      id: 'outside',
      role: 'combobox',
      value: 'Small',
      states: ['expanded'],
      children: [{ id: 'menu', role: 'menu', name: 'Small', children: [item('Small'), item('Large')] }],
    };
    const boxes = shows.map((value, index): SimulatedNode => ({
      id: `box ${index}`,
      role: 'combobox',
      value,
      states: ['collapsed'],
      bounds: AT,
    }));
    const page: SimulatedNode = { id: 'page', role: 'document', name: 'Page', children: boxes };
    const on = await stage(oneWindow([{ id: 'parts', role: 'group', children: [outside, page] }]));
    return on.engine.click({ ...DEADLINE, ref: await refOf(on.engine, name) });
  }

  it('is known by the one that shows its value and has the focus then', async () => {
    const receipt = await keep('Small', ['Small', 'Small']);
    expect(receipt).toMatchObject({ effect: 'confirmed' });
    expect(receipt.evidence[0]).toBe('already: the list closed, and its combo box shows "Small"');
  });

  it('but not if another option was clicked, or the box shows another value', async () => {
    expect((await keep('Large', ['Small'])).effect).not.toBe('confirmed');
    expect((await keep('Small', ['Large'])).effect).not.toBe('confirmed');
  });
});
