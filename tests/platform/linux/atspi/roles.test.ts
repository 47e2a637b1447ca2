import { describe, expect, it } from 'vitest';
import { ROLES, type Role } from '../../../../src/model/tree/role.ts';
import { mapRole, mayBeHuge, nativeRoleName } from '../../../../src/platform/linux/atspi/tree/roles.ts';
import { STATE } from '../../../../src/platform/linux/atspi/tree/states.ts';
import { bits } from './support/bits.ts';

const LAST_ROLE = 130;
const NONE = bits();

/** Numbers from atspi-constants.h, written down apart from the table. */
const WIRE: readonly (readonly [number, string, Role])[] = [
  [0, 'invalid', 'generic'],
  [7, 'check box', 'checkbox'],
  [9, 'color chooser', 'group'],
  [11, 'combo box', 'combobox'],
  [16, 'dialog', 'dialog'],
  [23, 'frame', 'window'],
  [29, 'label', 'text'],
  [31, 'list', 'list'],
  [32, 'list item', 'listitem'],
  [33, 'menu', 'menu'],
  [35, 'menu item', 'menuitem'],
  [37, 'page tab', 'tab'],
  [40, 'password text', 'textbox'],
  [43, 'push button', 'button'],
  [44, 'radio button', 'radio'],
  [51, 'slider', 'slider'],
  [52, 'spin button', 'spinbutton'],
  [55, 'table', 'table'],
  [56, 'table cell', 'cell'],
  [60, 'terminal', 'terminal'],
  [61, 'text', 'textbox'],
  [62, 'toggle button', 'togglebutton'],
  [64, 'tool tip', 'tooltip'],
  [66, 'tree table', 'treegrid'],
  [69, 'window', 'window'],
  [75, 'application', 'application'],
  [79, 'entry', 'textbox'],
  [83, 'heading', 'heading'],
  [88, 'link', 'link'],
  [90, 'table row', 'row'],
  [91, 'tree item', 'treeitem'],
  [95, 'document web', 'document'],
  [98, 'list box', 'listbox'],
  [101, 'notification', 'alert'],
  [110, 'landmark', 'landmark'],
  [116, 'static', 'text'],
  [129, 'push button menu', 'button'],
  [130, 'switch', 'switch'],
];

describe('a role number', () => {
  it.each(WIRE)('%i is a %s, our %s', (number, native, role) => {
    expect(nativeRoleName(number)).toBe(native);
    expect(mapRole(number, bits(STATE.EDITABLE), true)).toBe(role);
  });

  it.each(Array.from({ length: LAST_ROLE + 1 }, (_, number) => number))(
    '%i has a name and a role',
    (number) => {
      expect(nativeRoleName(number)).not.toMatch(/^role \d/);
      expect(ROLES).toContain(mapRole(number, NONE, true));
      expect(ROLES).toContain(mapRole(number, NONE, false));
    },
  );

  it('has a unique name', () => {
    const names = Array.from({ length: LAST_ROLE + 1 }, (_, number) => nativeRoleName(number));
    expect(new Set(names).size).toBe(names.length);
  });

  it('of a newer toolkit is generic, and shown as a number', () => {
    for (const number of [131, 9999, 0xffff_ffff, -1]) {
      expect(mapRole(number, NONE, true)).toBe('generic');
      expect(nativeRoleName(number)).toBe(`role ${number}`);
    }
  });
});

it('a frame inside a window is a group', () => {
  expect([mapRole(23, NONE, true), mapRole(23, NONE, false), mapRole(23, NONE)]).toEqual([
    'window',
    'group',
    'group',
  ]);
});

it('text that can be neither edited nor focused is plain text', () => {
  expect(mapRole(61, NONE)).toBe('text');
  expect(mapRole(61, bits(STATE.EDITABLE))).toBe('textbox');
  expect(mapRole(61, bits(STATE.FOCUSABLE))).toBe('textbox');
  expect(mapRole(79, NONE)).toBe('textbox');
});

it('the role of a Swing label depends on its states', () => {
  const role = (...states: number[]) => mapRole(29, bits(...states));
  expect([role(), role(STATE.SELECTABLE)]).toEqual(['text', 'text']);
  expect([role(STATE.TRANSIENT), role(STATE.TRANSIENT, STATE.SELECTABLE)]).toEqual(['cell', 'listitem']);
  expect([role(STATE.COLLAPSED), role(STATE.EXPANDABLE), role(STATE.EXPANDED)]).toEqual([
    'treeitem',
    'treeitem',
    'treeitem',
  ]);
  expect(mapRole(7, bits(STATE.SELECTABLE))).toBe('menuitemcheckbox');
  expect(mapRole(7, bits(STATE.SELECTABLE, STATE.FOCUSABLE))).toBe('checkbox');
});

it('the child count is read first for containers with possibly millions of children', () => {
  expect([31, 55, 65, 66, 92, 98].every(mayBeHuge)).toBe(true);
  expect([23, 39, 43, 61].some(mayBeHuge)).toBe(false);
});
