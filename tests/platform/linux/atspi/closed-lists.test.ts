import { expect, it } from 'vitest';
import { hideClosedLists } from '../../../../src/platform/linux/atspi/tree/closed-lists.ts';
import { RawNode } from '../../../../src/platform/linux/atspi/tree/raw-node.ts';
import { NATIVE } from '../../../../src/platform/linux/atspi/tree/roles.ts';
import { hasState, STATE } from '../../../../src/platform/linux/atspi/tree/states.ts';
import { toolkitTraits } from '../../../../src/platform/linux/atspi/tree/toolkit.ts';

const SHOWN = (1 << STATE.SHOWING) | (1 << STATE.VISIBLE);

function node(nativeRole: number, children: RawNode[] = [], more = 0): RawNode {
  const made = new RawNode(':1.1', '/it', 1);
  made.nativeRole = nativeRole;
  made.states = [(SHOWN | more) >>> 0, 0];
  made.children = children;
  return made;
}

function combobox(isOpen: boolean) {
  const option = node(NATIVE.LABEL);
  const list = node(NATIVE.LIST, [option]);
  const text = node(NATIVE.TEXT);
  const open = isOpen ? 1 << STATE.EXPANDED : 0;
  const box = node(NATIVE.COMBO_BOX, [list, text], (1 << STATE.EXPANDABLE) | open);
  return { option, list, text, root: node(NATIVE.PANEL, [box]) };
}

const QT = { traits: toolkitTraits('Qt', 'app') };
const isShown = ({ states }: RawNode): boolean =>
  hasState(states, STATE.SHOWING) || hasState(states, STATE.VISIBLE);

it('hides the list of a closed combo box of Qt and all in it, but not its text', () => {
  const { root, list, option, text } = combobox(false);
  hideClosedLists(QT, root, true);
  expect([list, option, text].map(isShown)).toEqual([false, false, true]);
  expect([list.dropped, text.dropped]).toEqual([false, false]);
});

it('leaves it out of a reading of what is on screen', () => {
  const { root, list, text } = combobox(false);
  hideClosedLists(QT, root, false);
  expect([list.dropped, text.dropped]).toEqual([true, false]);
});

it.each([
  ['an open one', QT, true],
  ['another toolkit', { traits: toolkitTraits('gtk', 'app') }, false],
] as const)('leaves %s as it is', (_what, application, isOpen) => {
  const { root, list, option } = combobox(isOpen);
  hideClosedLists(application, root, false);
  expect([list, option].map(isShown)).toEqual([true, true]);
  expect(list.dropped).toBe(false);
});

it.each([
  ['is not shown itself, as behind another tab', [0, 0], undefined],
  ['has no size, as in a closed combo box of Qt 5', [SHOWN, 0], { x: 0, y: 0, width: 0, height: 0 }],
] as const)('hides the rows of a list that %s', (_what, states, extents) => {
  const row = node(NATIVE.LABEL);
  const list = node(NATIVE.LIST, [row]);
  list.states = states;
  list.extents = extents;
  hideClosedLists(QT, node(NATIVE.PANEL, [list]), true);
  expect([list, row].map(isShown)).toEqual([false, false]);
});

it('leaves a list without a size out of what is on screen, also if it is empty', () => {
  const list = node(NATIVE.LIST);
  list.extents = { x: 0, y: 0, width: 0, height: 0 };
  hideClosedLists(QT, node(NATIVE.PANEL, [list]), false);
  expect(list.dropped).toBe(true);
});
