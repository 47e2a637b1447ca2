import type { Role } from '../../src/model/tree/role.ts';

/** What was pressed, set or chosen, as the application has recorded it. */
export interface Recorded {
  readonly widget: string;
  readonly event: string;
  readonly value?: unknown;
}

export const ACTS = ['press', 'toggle', 'set-value', 'select', 'type 20 characters', 'menu'] as const;
export type ActName = (typeof ACTS)[number];

/** One act, and how the application's own record shows that it happened. */
export interface ActCase {
  readonly act: ActName;
  readonly name: string;
  readonly roles: readonly Role[];
  /** What to set, choose or type, by turn: each differs from the one before. */
  readonly values: readonly string[];
  /** For `menu`: the names on the way; the element is the first of them. */
  readonly path?: readonly string[];
  isRecorded(event: Recorded, value: string): boolean;
}

const TYPED = ['abcdefghij klmnopqrs', 'tuvwxyz abcdefghijkl'] as const;
const CHOSEN = ['green', 'red'] as const;

/** The acts on our fixtures and on our page, which have the same widgets. */
export const FIXTURE_CASES: readonly ActCase[] = [
  {
    act: 'press',
    name: 'Press',
    roles: ['button'],
    values: [''],
    isRecorded: ({ widget, event }) => widget === 'press' && event === 'clicked',
  },
  {
    act: 'toggle',
    name: 'Agree',
    roles: ['checkbox'],
    values: [''],
    isRecorded: ({ widget, event }) => widget === 'agree' && event === 'toggled',
  },
  {
    act: 'set-value',
    name: 'Name',
    roles: ['textbox'],
    values: ['Ada Lovelace', 'Grace Hopper'],
    isRecorded: (recorded, value) => isText(recorded, value),
  },
  {
    act: 'select',
    name: 'Colour',
    roles: ['combobox'],
    values: CHOSEN,
    isRecorded: ({ widget, event, value: chosen }, value) =>
      widget === 'colour' && event === 'selected' && chosen === value,
  },
  {
    act: 'type 20 characters',
    name: 'Name',
    roles: ['textbox'],
    values: TYPED,
    isRecorded: (recorded, value) => isText(recorded, value),
  },
  {
    act: 'menu',
    name: 'Edit',
    roles: ['menuitem', 'menu'],
    values: [''],
    path: ['Edit', 'Word wrap'],
    isRecorded: ({ widget, event }) => widget === 'edit_wrap' && event === 'menu-activated',
  },
];

function isText({ widget, event, value }: Recorded, expected: string): boolean {
  return widget === 'name' && event === 'text-changed' && value === expected;
}
