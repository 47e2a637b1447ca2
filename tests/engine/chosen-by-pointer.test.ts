import { expect, it } from 'vitest';
import type { SimulatedNode, SimulatedWorld } from '../simulated/simulated-world.ts';
import { DEADLINE, oneWindow, refOf, stage, windowWith } from './support/stage.ts';

const BOX = { x: 10, y: 10, width: 80, height: 20 };

it.each([
  ['opened before', 1, true],
  ['was opened by', 0, false],
] as const)(
  'an option that the pointer chooses, and a window that %s the press: told apart by when it was pressed',
  async (_what, earlierMs, isToldApart) => {
    const choose = (world: SimulatedWorld): void => {
      world.change('app', 'combo', { value: 'green', states: [] });
      world.change('app', 'green', { states: ['hidden'] });
      world.apps[0]?.windows.push({
        ...windowWith([], {
          id: 'dialog',
          title: 'Saved',
          bounds: { x: 700, y: 500, width: 90, height: 90 },
        }),
        userTimeMs: pressedAt - earlierMs,
      });
      world.emit('app', 'dialog-root', 'window-opened', '');
    };
    let pressedAt = 0;
    const option: SimulatedNode = {
      id: 'green',
      role: 'option',
      name: 'green',
      states: ['hidden'],
      bounds: { ...BOX, y: 40 },
      onPointer: { left: choose },
    };
    const open = (world: SimulatedWorld): void => {
      pressedAt = world.clock.now();
      world.change('app', 'combo', { states: ['expanded'] });
      world.change('app', 'green', { states: [] });
    };
    const combo: SimulatedNode = {
      id: 'combo',
      role: 'combobox',
      name: 'Colour',
      value: 'red',
      bounds: BOX,
      onPointer: { left: open },
      children: [option],
    };
    const { engine } = await stage(oneWindow([combo]));
    const ref = await refOf(engine, 'Colour');
    const receipt = await engine.select({ ...DEADLINE, mode: 'pointer', ref, option: 'green' });
    expect(receipt.via).toBe('pointer:opened it and clicked the option');
    expect(receipt.evidence.join().includes('a window opened before')).toBe(isToldApart);
  },
);
