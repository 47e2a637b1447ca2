import { expect, it } from 'vitest';
import { choiceMethod } from '../../../src/platform/linux/atspi/actions/toolkit-actions.ts';

it.each([
  ['gtk3', 'combobox', 'child'],
  ['gtk3', 'tablist', 'child'],
  ['gtk3', 'listbox', 'child'],
  ['gtk3', 'treegrid', 'row'],
  ['gtk3', 'table', 'row'],
  ['gtk4', 'list', 'child'],
  ['gtk4', 'tablist', 'child'],
  ['libreoffice', 'treegrid', 'child'],
  ['qt', 'tablist', ['Press']],
  ['qt', 'list', ['Toggle']],
  ['qt', 'table', ['Toggle']],
  ['chromium', 'combobox', ['select']],
  ['gecko', 'listbox', ['select', 'click']],
] as const)('%s in a %s: %j', (toolkit, container, means) => {
  expect(choiceMethod(toolkit, container)).toEqual(means);
});

it.each([
  // "Toggle" of an option is answered with "true" and ignored.
  ['qt', 'combobox'],
  ['gtk4', 'combobox'],
  // The page would not notice.
  ['gecko', 'combobox'],
  // A list of the web is for reading.
  ['chromium', 'list'],
  ['gecko', 'list'],
  ['gtk3', 'menu'],
  ['gtk3', 'group'],
] as const)('%s has no way in a %s', (toolkit, container) => {
  expect(choiceMethod(toolkit, container)).toBeUndefined();
});
