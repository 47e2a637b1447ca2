import type { WorldClock } from './simulated-clock.ts';
import { SimulatedWorld, type SimulatedNode, type SimulatedWindow } from './simulated-world.ts';

const DIALOG: SimulatedWindow = {
  id: 'window-2',
  title: 'Confirm',
  bounds: { x: 200, y: 200, width: 200, height: 100 },
  modal: true,
  transientFor: 'window-1',
};

/** One application with the widgets that the contract suite needs, and its own event log. */
export interface FixtureWorld {
  readonly world: SimulatedWorld;
  pressCount(): number;
  /** It opens its modal dialog by itself, or closes it. */
  showDialog(isOpen: boolean): void;
}

export function fixtureWorld(clock?: WorldClock): FixtureWorld {
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
  const world = new SimulatedWorld(
    [
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
    ],
    clock,
  );
  return {
    world,
    pressCount: () => presses,
    showDialog: (isOpen) => {
      const windows = world.apps[0]?.windows ?? [];
      if (!isOpen) windows.length = 1;
      else windows.push({ ...DIALOG, userTimeMs: pressedAtMs });
    },
  };
}
