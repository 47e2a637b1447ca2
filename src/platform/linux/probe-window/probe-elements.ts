import type { ProbeElement } from '../../../ports/probe-window.ts';
import { STATE } from '../atspi/tree/states.ts';
import type { Extents } from '../atspi/tree/object-facts.ts';

/** Size of the window's content, in pixels. */
export const PROBE_SIZE = { width: 260, height: 150 } as const;

export const LEVELS = { minimum: 0, maximum: 100, step: 1 } as const;

interface ElementFacts {
  /** AtspiRole. */
  readonly nativeRole: number;
  readonly name: string;
  readonly interfaces: readonly string[];
  readonly actions: readonly string[];
  readonly states: readonly number[];
  /** In the window. */
  readonly box: Extents;
}

export const SHOWN = [STATE.ENABLED, STATE.SENSITIVE, STATE.SHOWING, STATE.VISIBLE] as const;
const LINE = { x: 10, width: 240, height: 30 } as const;

/** The content of the window. */
export const ELEMENTS: Readonly<Record<Exclude<ProbeElement, 'window'>, ElementFacts>> = {
  button: {
    nativeRole: 43,
    name: 'Press',
    interfaces: ['Accessible', 'Component', 'Action'],
    actions: ['click'],
    states: [...SHOWN, STATE.FOCUSABLE],
    box: { ...LINE, y: 10, width: 115 },
  },
  checkbox: {
    nativeRole: 7,
    name: 'Tick',
    interfaces: ['Accessible', 'Component', 'Action'],
    actions: ['toggle'],
    states: [...SHOWN, STATE.FOCUSABLE],
    box: { ...LINE, y: 10, x: 135, width: 115 },
  },
  textbox: {
    nativeRole: 79,
    name: 'Text',
    interfaces: ['Accessible', 'Component', 'Text', 'EditableText'],
    actions: [],
    states: [...SHOWN, STATE.FOCUSABLE, STATE.EDITABLE],
    box: { ...LINE, y: 60 },
  },
  slider: {
    nativeRole: 51,
    name: 'Level',
    interfaces: ['Accessible', 'Component', 'Value'],
    actions: [],
    states: [...SHOWN, STATE.FOCUSABLE],
    box: { ...LINE, y: 110 },
  },
};
