import { expect, it } from 'vitest';
import type { Receipt } from '../../src/model/effects/effect.ts';
import type { SimulatedNode, SimulatedWorld } from '../simulated/simulated-world.ts';
import { every } from './support/acting.ts';
import { DEADLINE, oneWindow, refOf, stage } from './support/stage.ts';

const cell = (name: string, x: number, y: number, states: SimulatedNode['states'] = []): SimulatedNode => ({
  id: name,
  role: 'cell',
  name,
  states,
  bounds: { x, y, width: 100, height: 20 },
});

/** Double-clicks a cell of the row "Places", which has "Home" below it. */
async function doubleClick(
  onPress: (world: SimulatedWorld) => void,
  on: 'Places' | 'Eject' = 'Eject',
): Promise<Receipt> {
  const pressed = { onPointer: { left: onPress } };
  const rows = [
    { ...cell('Places', 0, 0, ['expanded']), ...(on === 'Places' ? pressed : {}) },
    { ...cell('Eject', 100, 0), ...(on === 'Eject' ? pressed : {}) },
    cell('Home', 0, 20),
    cell('Devices', 0, 40, ['expanded']),
  ];
  const tree: SimulatedNode = {
    id: 'tree',
    role: 'tree',
    children: rows,
    bounds: { x: 0, y: 0, width: 300, height: 300 },
  };
  const { engine } = await stage(oneWindow([tree]));
  return engine.gesture({
    ...DEADLINE,
    ref: await refOf(engine, on),
    gesture: 'double-click',
  });
}

/** Without an event, as in Qt. */
const close =
  (row: string, ...gone: readonly string[]) =>
  (world: SimulatedWorld): void => {
    world.node('app', row).states = ['collapsed'];
    const tree = world.node('app', 'tree');
    tree.children = (tree.children ?? []).filter(({ id }) => !gone.includes(id));
  };

it('a double click on a cell beside the one that tells whether its row is open is confirmed by the rows below', async () => {
  const receipt = await doubleClick(close('Places', 'Home'));
  expect(receipt).toMatchObject({
    effect: 'confirmed',
    evidence: ['cell "Places" changed from expanded to collapsed', 'cell "Home" disappeared'],
  });
});

it('so is one on that cell itself', async () => {
  const receipt = await doubleClick(close('Places', 'Home'), 'Places');
  expect(receipt).toMatchObject({
    effect: 'confirmed',
    evidence: ['cell "Places" changed from expanded to collapsed', 'cell "Home" disappeared'],
  });
});

it('but not without them, by rows alone, or by another row', async () => {
  expect((await doubleClick(close('Places'))).effect).toBe('unverified');
  const rowsAlone = (world: SimulatedWorld): void => {
    world.node('app', 'tree').children = (world.node('app', 'tree').children ?? []).slice(0, 2);
  };
  expect((await doubleClick(rowsAlone)).effect).toBe('unverified');
  expect((await doubleClick(close('Devices', 'Home'))).effect).toBe('unverified');
});

it('nor by a row that goes on opening and closing by itself', async () => {
  const receipt = await doubleClick((world) => {
    every(world, 1000, 10, (beat) => {
      if (beat % 2 === 0) close('Places', 'Home')(world);
      else {
        const tree = world.node('app', 'tree');
        world.node('app', 'Places').states = ['expanded'];
        tree.children = [...(tree.children ?? []), cell('Home', 0, 20)];
      }
    });
  });
  expect(receipt.effect).toBe('unverified');
});
