import { expect, it } from 'vitest';
import type { Bounds } from '../../src/model/tree/bounds.ts';
import type { SimulatedNode } from '../simulated/simulated-world.ts';
import { button, DEADLINE, oneWindow, refOf, stage } from './support/stage.ts';

const BOX: Bounds = { x: 10, y: 100, width: 200, height: 60 };

async function viaBeside(list: SimulatedNode[]): Promise<string> {
  const field: SimulatedNode = {
    id: 'field',
    role: 'combobox',
    name: 'Address',
    states: ['expanded'],
    bounds: BOX,
    children: list,
  };
  const on = await stage(oneWindow([button('go', 'Go'), field]));
  return (await on.engine.click({ ...DEADLINE, ref: await refOf(on.engine, 'Go') })).via;
}

const item = (y: number): SimulatedNode => ({
  id: `item ${y}`,
  role: 'option',
  name: 'One',
  bounds: { x: 10, y, width: 200, height: 20 },
});

it('what drops down from a combo box goes with a click elsewhere, so that is made with the pointer', async () => {
  expect(await viaBeside([item(160)])).toContain('pointer');
});

it('a list that is inside its combo box at all times does not send other acts to the pointer', async () => {
  expect(await viaBeside([item(110), item(130)])).not.toContain('pointer');
});
