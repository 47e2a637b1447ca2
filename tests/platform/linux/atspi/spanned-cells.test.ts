import { expect, it } from 'vitest';
import { RawNode } from '../../../../src/platform/linux/atspi/tree/raw-node.ts';
import { NATIVE } from '../../../../src/platform/linux/atspi/tree/roles.ts';
import { hideSpannedCells } from '../../../../src/platform/linux/atspi/tree/cells/spanned-cells.ts';
import { hasState, STATE } from '../../../../src/platform/linux/atspi/tree/states.ts';
import type { Extents } from '../../../../src/platform/linux/atspi/tree/object-facts.ts';
import { toolkitTraits } from '../../../../src/platform/linux/atspi/tree/toolkit.ts';

function node(nativeRole: number, name: string, extents: Extents, children: RawNode[] = []): RawNode {
  const made = new RawNode(':1.1', '/it', 1);
  Object.assign(made, { nativeRole, name, extents, children, states: [1 << STATE.SHOWING, 0] });
  return made;
}

const cell = (name: string, x: number, y: number, width: number): RawNode =>
  node(NATIVE.TABLE_CELL, name, { x, y, width, height: 15 });
const isShown = ({ states }: RawNode): boolean => hasState(states, STATE.SHOWING);

/** A row whose first cell is indented and spans both columns, a row of two columns, and one of two columns without names. */
function tree() {
  const cells = [
    cell('Places', 13, 0, 137),
    cell('', 1, 0, 149),
    cell('Mail', 13, 15, 87),
    cell('', 100, 15, 50),
    cell('', 13, 30, 87),
    cell('', 100, 30, 50),
  ];
  return { cells, root: node(NATIVE.TREE, '', { x: 0, y: 0, width: 150, height: 45 }, cells) };
}

it.each([true, false])('hides what a spanning cell of Qt leaves no place for (whole tree: %s)', (whole) => {
  const { root, cells } = tree();
  hideSpannedCells({ traits: toolkitTraits('Qt', 'app') }, root, whole);
  expect(cells.map(isShown)).toEqual([true, false, true, true, true, true]);
  expect(cells.map(({ dropped }) => dropped)).toEqual([false, !whole, false, false, false, false]);
});

it('takes a row as selected if the cell is that nobody sees', () => {
  const { root, cells } = tree();
  for (const at of [1, 3])
    Object.assign(cells[at] ?? {}, { states: [(1 << STATE.SHOWING) | (1 << STATE.SELECTED), 0] });
  hideSpannedCells({ traits: toolkitTraits('Qt', 'app') }, root, false);
  const selected = cells.filter(({ dropped, states }) => !dropped && hasState(states, STATE.SELECTED));
  expect(selected).toEqual([cells[0], cells[3]]);
});

it('leaves other toolkits as they are', () => {
  const { root, cells } = tree();
  hideSpannedCells({ traits: toolkitTraits('gtk', 'app') }, root, false);
  expect(cells.every(isShown)).toBe(true);
});
