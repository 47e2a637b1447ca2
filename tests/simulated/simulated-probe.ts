import type { ProbeElement, ProbeEvent, ProbeWindow } from '../../src/ports/probe-window.ts';
import { SimulatedClipboard } from './simulated-clipboard.ts';
import type { SimulatedInput } from './simulated-input.ts';
import type { SimulatedNode, SimulatedWindow, SimulatedWorld } from './simulated-world.ts';

const APP = 'probe';
const WINDOW = 'probe-window';
const TITLE = 'Deskterity probe';
const PID = 99_999;
const BOUNDS = { x: 80, y: 80, width: 260, height: 150 };
const LOOK_EVERY_MS = 10;

/** A scripted application with one window; the input that reaches it is derived from the record of the simulated input. */
export function openSimulatedProbe(world: SimulatedWorld, input: SimulatedInput): ProbeWindow {
  const element = (id: ProbeElement, node: Omit<SimulatedNode, 'id'>, y: number): SimulatedNode => ({
    id,
    bounds: { x: BOUNDS.x + 10, y: BOUNDS.y + y, width: 240, height: 30 },
    ...node,
  });
  let presses = 0;
  const onPress = (): void => {
    presses++;
  };
  const children = [
    element('button', { role: 'button', name: 'Press', actions: ['click'], onPress }, 5),
    element('checkbox', { role: 'checkbox', name: 'Tick', states: [] }, 40),
    element('textbox', { role: 'textbox', name: 'Text', accepts: 'text', value: '' }, 75),
    element(
      'slider',
      {
        role: 'slider',
        name: 'Level',
        accepts: 'number',
        value: '0',
        range: { minimum: 0, maximum: 100, step: 1 },
      },
      110,
    ),
  ];
  const window: SimulatedWindow = {
    id: WINDOW,
    title: TITLE,
    bounds: BOUNDS,
    root: { id: 'window', role: 'window', name: TITLE, bounds: BOUNDS, children },
  };
  world.apps.push({ id: APP, name: TITLE, pid: PID, windows: [window] });
  const start = input.record.length;
  const valueOf = (id: ProbeElement): string => world.findNode(APP, id)?.value ?? '';
  const read = (): ProbeEvent[] => [
    ...Array.from({ length: presses }, (): ProbeEvent => ({ kind: 'pressed' })),
    ...input.record.slice(start).flatMap((line) => eventsOf(line, world)),
  ];
  const handle = (id: ProbeElement) => ({ app: APP, path: id });
  return {
    title: TITLE,
    windowId: WINDOW,
    elements: {
      window: handle('window'),
      button: handle('button'),
      textbox: handle('textbox'),
      slider: handle('slider'),
      checkbox: handle('checkbox'),
    },
    // The only colour of a simulated screen.
    colour: { red: 0xcc, green: 0xcc, blue: 0xcc },
    remedies: { coveredPicture: 'Uncover it.', unreportedInput: 'Keep your hands off.' },
    clipboard: new SimulatedClipboard(),
    get content() {
      return { text: valueOf('textbox'), level: Number(valueOf('slider')) };
    },
    get record() {
      return read();
    },
    until: async (isWanted, { deadlineMs, signal }) => {
      const end = world.clock.now() + deadlineMs;
      while (!isWanted(read())) {
        if (world.clock.now() >= end) return false;
        await world.clock.sleep(LOOK_EVERY_MS, signal);
      }
      return true;
    },
    toggle: () => {
      const isTicked = world.findNode(APP, 'checkbox')?.states?.includes('checked') === true;
      world.change(APP, 'checkbox', { states: isTicked ? [] : ['checked'] });
    },
    bounds: async () => window.bounds,
    hasKeyboard: async () => world.focusedWindow() === window,
    cover: async () => async () => undefined,
    close: async () => {
      const index = world.apps.findIndex(({ id }) => id === APP);
      if (index >= 0) world.apps.splice(index, 1);
    },
  };
}

/** The probe's event for a line of the input's record, if it reached the probe. */
function eventsOf(line: string, world: SimulatedWorld): ProbeEvent[] {
  const [, what = '', detail = ''] = /^(\w+(?: down| up)?) (.*)$/su.exec(line) ?? [];
  if (what === 'key' || what === 'type') {
    if (world.focusedWindow()?.id !== WINDOW) return [];
    return [true, false].map((isDown) => ({ kind: 'key', isDown, means: detail }));
  }
  const [x = Number.NaN, y = Number.NaN] = detail.split(',').map(Number);
  if (world.windowAt({ x, y })?.window.id !== WINDOW) return [];
  if (what === 'move') return [{ kind: 'motion', x, y }];
  return [{ kind: 'button', isDown: what.endsWith('down'), button: 'left', x, y }];
}
