import { expect, it } from 'vitest';
import { handUse } from '../../src/engine/acting/begin/turn.ts';

it.each([
  ['a click on a button', 'click', 'button', [], 'click'],
  ['a click on a button that has a menu', 'click', 'button', ['collapsed'], 'popup'],
  ['a click on a row that can be expanded', 'click', 'treeitem', ['collapsed'], 'click'],
  ['a click on a combo box', 'click', 'combobox', [], 'popup'],
  ['a double click on a menu', 'double-click', 'menuitem', [], 'popup'],
  ['a drag from a combo box', 'drag', 'combobox', [], 'drag'],
  ['an act through accessibility', undefined, 'combobox', [], undefined],
] as const)('%s is told as what it does by hand', (_what, byHand, role, states, use) => {
  expect(handUse({ byHand }, { role, states })).toBe(use);
});
