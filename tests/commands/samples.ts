import type { Receipt } from '../../src/model/effects/effect.ts';
import type { OutputNode } from '../../src/model/tree/node.ts';
import type { AppSummary, WindowSummary } from '../../src/model/refs/target.ts';
import type { ElementInfo } from '../../src/engine/requests/reading.ts';

export const APP: AppSummary = {
  name: 'KCalc',
  pid: 42,
  toolkit: 'Qt',
  toolkit_version: '6.7',
  accessible: true,
  responsive: true,
};

export const WINDOW: WindowSummary = {
  ref: '@w1',
  id: 'x11:0x1400003',
  title: 'Calculator',
  app: 'KCalc',
  pid: 42,
  bounds: { x: 10, y: 20, width: 300, height: 400 },
  focused: true,
  minimized: false,
  stacking: 0,
  accessible: true,
};

export const MINIMIZED: WindowSummary = {
  ...WINDOW,
  ref: '@w2',
  id: 'x11:0x2',
  title: 'History',
  focused: false,
  minimized: true,
};

export const BUTTON: OutputNode = {
  ref: '@e2',
  role: 'button',
  name: '7',
  bounds: { x: 1, y: 2, width: 3, height: 4 },
};

export const TREE: OutputNode = {
  role: 'window',
  name: 'Calculator',
  children: [{ ref: '@e1', role: 'textbox', name: 'Display', value: '42', states: ['focused'] }, BUTTON],
};

export const CHECKBOX: ElementInfo = {
  node: { ref: '@e5', role: 'checkbox', name: 'Bold', states: ['checked', 'focusable'] },
  text: undefined,
  attributes: { toolkit: 'Qt' },
  allStates: ['checked', 'focusable'],
  onScreen: true,
};

export const RECEIPT: Receipt = {
  target: { ref: '@e2', role: 'button', name: '7' },
  effect: 'confirmed',
  evidence: ['the value of textbox "Display" changed'],
  via: 'at-spi:Action.DoAction(press)',
  changes: [
    {
      kind: 'changed',
      ref: '@e1',
      role: 'textbox',
      name: 'Display',
      before: 'value "42"',
      after: 'value "427"',
    },
  ],
  delivered: true,
  retry_safe: false,
  cursor: 'c3',
  duration_ms: 120,
};
