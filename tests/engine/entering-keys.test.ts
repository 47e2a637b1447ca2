import { expect, it } from 'vitest';
import type { Receipt } from '../../src/model/effects/effect.ts';
import { parseKeyCombination } from '../../src/model/text/key-combination.ts';
import type { SimulatedNode, SimulatedWorld } from '../simulated/simulated-world.ts';
import { app, DEADLINE, stage, windowWith } from './support/stage.ts';

const DIALOG: SimulatedNode = { id: 'dialog', role: 'dialog', name: 'Confirm' };

/** What a page does while the key is pressed: a dialog opens in it. */
async function press(key: string, more: (world: SimulatedWorld) => void = () => undefined): Promise<Receipt> {
  const field: SimulatedNode = {
    id: 'name',
    role: 'textbox',
    name: 'Name',
    value: '',
    accepts: 'text',
    states: ['editable', 'focused'],
    bounds: { x: 10, y: 10, width: 200, height: 30 },
    onKey: (world) => {
      world.insert('app', 'page', { ...DIALOG, states: [] });
      more(world);
    },
  };
  const page: SimulatedNode = { id: 'page', role: 'document', name: 'Page', children: [field] };
  const on = await stage([app({ windows: [windowWith([page], { focused: true })] })]);
  return on.engine.press({ ...DEADLINE, keys: parseKeyCombination(key) });
}

it('a dialog that opens in the page does not prove that a letter arrived in its field', async () => {
  expect(await press('e')).toMatchObject({ effect: 'unverified', retry_safe: false });
});

it('the letter in its field does, and a dialog proves a key that enters nothing', async () => {
  const receipt = await press('e', (world) => world.change('app', 'name', { value: 'e' }));
  expect(receipt.effect).toBe('confirmed');
  expect((await press('Return')).effect).toBe('confirmed');
});
