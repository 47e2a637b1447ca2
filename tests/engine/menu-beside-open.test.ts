import { describe, expect, it } from 'vitest';
import type { SimulatedNode, SimulatedWorld } from '../simulated/simulated-world.ts';
import { DEADLINE, oneWindow, stage } from './support/stage.ts';

type Run = (world: SimulatedWorld) => void;

const item = (id: string, name: string, more: Partial<SimulatedNode> = {}): SimulatedNode => ({
  id,
  role: 'menuitem',
  name,
  actions: ['click'],
  states: ['hidden'],
  bounds: { x: 0, y: 0, width: 9, height: 9 },
  ...more,
});

describe('an item in a closed menu', () => {
  const done: Run = (world) => world.change('app', 'status', { name: 'Done' });
  const bar = (sent: string[], states: SimulatedNode['states']): SimulatedNode => ({
    id: 'bar',
    role: 'menubar',
    name: '',
    children: [
      item('file', 'File', {
        role: 'menu',
        states: [],
        onAct: {
          expand: (world) => {
            sent.push('opened');
            world.change('app', 'add', { states: ['hidden'] });
            world.change('app', 'open', { states: [] });
          },
        },
        children: [
          item('open', 'Open', {
            onPress: (world) => {
              sent.push('pressed');
              done(world);
            },
          }),
        ],
      }),
      item('marks', 'Bookmarks', { role: 'menu', states: [], children: [item('add', 'Add', { states })] }),
    ],
  });
  const run = async (states: SimulatedNode['states']): Promise<string[]> => {
    const sent: string[] = [];
    const status: SimulatedNode = { id: 'status', role: 'text', name: 'Ready' };
    const { engine } = await stage(oneWindow([bar(sent, states), status]));
    await engine.menu({ ...DEADLINE, path: ['File', 'Open'] });
    return sent;
  };

  it('is pressed without opening it', async () => {
    expect(await run(['hidden'])).toEqual(['pressed']);
  });

  it('is pressed once its menu is open, if another one of the bar is open: that would stay open', async () => {
    expect(await run([])).toEqual(['opened', 'pressed']);
    expect(await run(['disabled'])).toEqual(['opened', 'pressed']);
  });
});

it('the title that loses its tick when its menu closes is no effect of the item', async () => {
  const print = item('print', 'Print', {
    states: [],
    onPress: (world) => {
      world.change('app', 'print', { states: ['hidden'] });
      world.change('app', 'file', { states: [] });
    },
  });
  const file = item('file', 'File', { role: 'menu', states: ['checked', 'selected'], children: [print] });
  const bar: SimulatedNode = { id: 'bar', role: 'menubar', name: '', children: [file] };
  const { engine } = await stage(oneWindow([bar, { id: 'status', role: 'text', name: 'Ready' }]));
  const query = { query: 'Print', by: 'exact', limit: 1, wholeTree: false } as const;
  const ref = (await engine.find({ ...DEADLINE, ...query })).matches[0]?.ref ?? '';
  expect(await engine.click({ ...DEADLINE, ref })).toMatchObject({ effect: 'unverified' });
});
