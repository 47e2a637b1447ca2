import { expect, it } from 'vitest';
import type { Receipt } from '../../src/model/effects/effect.ts';
import type { SimulatedWorld } from '../simulated/simulated-world.ts';
import { button, DEADLINE, oneWindow, refOf, stage } from './support/stage.ts';

/** Longer than a window takes to come to rest, and shorter than an act that showed nothing is watched. */
const LATE_MS = 700;
const MENU = { x: 60, y: 30, width: 160, height: 200 };

function focused(world: SimulatedWorld): void {
  world.node('app', 'street').states = ['editable', 'focused'];
  world.emit('app', 'street', 'focus-changed', '');
}

/** Right-clicks a field that has its menu in the tree of its window. */
async function rightClick(onPointer: (world: SimulatedWorld) => void): Promise<Receipt> {
  const field = button('street', 'Street', {
    role: 'textbox',
    states: ['editable'],
    onPointer: { right: onPointer },
  });
  const on = await stage(oneWindow([field]));
  return on.engine.gesture({ ...DEADLINE, gesture: 'right-click', ref: await refOf(on.engine, 'Street') });
}

it('a menu that opens some time after the field took the focus confirms the right-click', async () => {
  const receipt = await rightClick((world) => {
    focused(world);
    world.clock.after(LATE_MS, () => {
      const root = world.node('app', 'win-root');
      const menu = { id: 'menu', role: 'menu', name: 'Edit', bounds: MENU } as const;
      root.children = [...(root.children ?? []), menu];
      world.emit('app', 'win-root', 'children-changed', 'add');
    });
  });
  expect(receipt).toMatchObject({
    effect: 'confirmed',
    evidence: expect.arrayContaining(['menu "Edit" appeared', 'it came only some time after the act']),
  });
});

it('the focus alone does not', async () => {
  expect(await rightClick(focused)).toMatchObject({
    effect: 'unverified',
    evidence: expect.arrayContaining(['only the focus moved']),
  });
});

it.each([
  ['at the point', 0],
  ['some pixels beside it', 3],
])('a menu that only the display knows, %s, confirms the right-click', async (_where, offset) => {
  const receipt = await rightClick((world) => {
    focused(world);
    const { x, y, width, height } = world.node('app', 'street').bounds ?? MENU;
    const window = world.apps[0]?.windows[0];
    if (window === undefined) throw new Error('there is no window');
    window.popup = { ...MENU, x: x + width / 2 + offset, y: y + height / 2 + offset };
  });
  expect(receipt).toMatchObject({
    effect: 'confirmed',
    evidence: expect.arrayContaining([expect.stringContaining('a popup of the application opened')]),
  });
});
