import { expect, it } from 'vitest';
import { shownName } from '../../src/model/tree/shown-name.ts';

it.each([
  ['menuitem', 'Find      ', 'Find'],
  ['button', 'GtkToggleButton', ''],
  ['menuitem', 'GtkButton', 'GtkButton'],
  ['button', 'OK', 'OK'],
] as const)('the name of a %s %j is shown as %j', (role, name, shown) => {
  expect(shownName({ role, name })).toBe(shown);
});

it('of a terminal, where it begins is kept', () => {
  expect(shownName({ role: 'text', name: '  $ ls  ', source: 'terminal' })).toBe('  $ ls');
});
