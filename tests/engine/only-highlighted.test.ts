import { expect, it } from 'vitest';
import type { Receipt } from '../../src/model/effects/effect.ts';
import type { SimulatedNode, SimulatedWorld } from '../simulated/simulated-world.ts';
import { click, STATUS } from './support/acting.ts';
import { DEADLINE, oneWindow, refOf, stage } from './support/stage.ts';

type Run = (world: SimulatedWorld) => void;
const at = (y: number): Pick<SimulatedNode, 'bounds'> => ({ bounds: { x: 10, y, width: 80, height: 20 } });
const item = (name: string, y: number, more: Partial<SimulatedNode> = {}): SimulatedNode => ({
  id: name,
  role: 'menuitem',
  name,
  ...at(y),
  ...more,
});

/** A click in an open menu that has a submenu, whose only item is shown if the other submenu is open. */
async function clicked(name: 'Zoom' | 'Bars' | 'Reload', press: Run): Promise<Receipt> {
  const onPointer = { left: press };
  const bars: SimulatedNode = {
    ...item('Bars', 40, { role: 'menu', onPointer }),
    children: [item('Tool bar', 60)],
  };
  const zoom: SimulatedNode = { ...item('Zoom', 80, { role: 'menu', onPointer }), children: [] };
  const view: SimulatedNode = {
    ...item('View', 10, { role: 'menu' }),
    children: [bars, zoom, item('Reload', 100, { onPointer })],
  };
  const bar: SimulatedNode = { id: 'bar', role: 'menubar', children: [view] };
  const on = await stage(oneWindow([bar, { ...STATUS }]));
  if (name === 'Reload') return click(on, name);
  return on.engine.click({ ...DEADLINE, ref: await refOf(on.engine, name), mode: 'pointer' });
}

const hint: Run = (world) => world.change('app', 'status', { name: 'Makes it larger' });
const closeOther: Run = (world) => {
  world.remove('app', 'Tool bar');
  hint(world);
};
const open: Run = (world) => world.insert('app', 'Zoom', item('100 %', 120));

it('a click on a submenu is not proved by the hint for it, nor by the one beside it that closes', async () => {
  for (const press of [hint, closeOther]) {
    const receipt = await clicked('Zoom', press);
    expect(receipt.effect).toBe('unverified');
    expect(receipt.evidence.join()).toContain('its menu stayed open');
  }
  expect((await clicked('Zoom', open)).effect).toBe('confirmed');
});

it('nor is one on an item whose menu stays open', async () => {
  expect((await clicked('Reload', hint)).effect).toBe('unverified');
});
