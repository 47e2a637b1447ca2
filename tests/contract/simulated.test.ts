import { SimulatedDesktop } from '../simulated/simulated-desktop.ts';
import { SimulatedWorld } from '../simulated/simulated-world.ts';
import type { SimulatedNode, SimulatedWindow } from '../simulated/simulated-world.ts';
import type { ContractWorld } from './contract-world.ts';
import { desktopContract } from './desktop-contract.ts';

const DIALOG: SimulatedWindow = {
  id: 'window-2',
  title: 'Confirm',
  bounds: { x: 200, y: 200, width: 200, height: 100 },
  modal: true,
  transientFor: 'window-1',
};

desktopContract('simulated', async (): Promise<ContractWorld> => {
  let presses = 0;
  let pressedAtMs = 0;
  const press: SimulatedNode = {
    id: 'press',
    role: 'button',
    name: 'Press',
    bounds: { x: 110, y: 150, width: 80, height: 30 },
    actions: ['click'],
    onPress: (at) => {
      presses++;
      pressedAtMs = at.clock.now();
    },
  };
  const world = new SimulatedWorld([
    {
      id: 'app',
      name: 'Fixture',
      pid: 4711,
      activationDelayMs: 100,
      windows: [
        {
          id: 'window-1',
          title: 'Simulated fixture',
          bounds: { x: 100, y: 100, width: 400, height: 300 },
          focused: true,
          root: {
            id: 'root',
            role: 'window',
            name: 'Simulated fixture',
            bounds: { x: 100, y: 100, width: 400, height: 300 },
            children: [
              { id: 'box', role: 'group', children: [press] },
              { id: 'name', role: 'textbox', name: 'Name', value: '', accepts: 'text' },
              {
                id: 'volume',
                role: 'slider',
                name: 'Volume',
                value: '30',
                accepts: 'number',
                range: { minimum: 0, maximum: 100, step: 1 },
              },
              {
                id: 'agree',
                role: 'checkbox',
                name: 'Agree',
                onAct: { toggle: (world) => world.change('app', 'agree', { states: ['checked'] }) },
              },
              { id: 'hidden', role: 'button', name: 'Hidden', states: ['hidden'] },
            ],
          },
        },
      ],
    },
  ]);
  return {
    desktop: new SimulatedDesktop(world),
    pid: 4711,
    title: 'Simulated fixture',
    sleep: (ms) => world.clock.sleep(ms),
    pressCount: async () => presses,
    nameText: async () => world.node('app', 'name').value ?? '',
    volume: async () => Number(world.node('app', 'volume').value),
    rename: async (widget, label) => world.change('app', widget, { name: label }),
    remove: async (widget) => world.remove('app', widget),
    showDialog: async (isOpen) => {
      const windows = world.apps[0]?.windows ?? [];
      if (!isOpen) windows.length = 1;
      else windows.push({ ...DIALOG, userTimeMs: pressedAtMs });
    },
    freeze: async (ms) => world.freeze('app', ms),
    stop: async () => undefined,
  };
});
