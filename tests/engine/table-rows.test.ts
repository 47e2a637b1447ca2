import { describe, expect, it } from 'vitest';
import { optionsIn, rowOptions } from '../../src/engine/tree/option-search.ts';
import { rowsOf } from '../../src/engine/tree/table-rows.ts';
import type { TreeNode } from '../../src/model/tree/node.ts';

let made = 0;
function node(role: TreeNode['role'], name: string, more: Partial<TreeNode> = {}): TreeNode {
  const handle = { app: 'app', path: String(made++) };
  return { handle, role, nativeRole: role, name, states: [], children: [], ...more };
}
const cell = (name: string, y?: number): TreeNode =>
  node('cell', name, y === undefined ? {} : { bounds: { x: 0, y, width: 50, height: 20 } });
const headers = (count: number): TreeNode[] =>
  Array.from({ length: count }, (_, at) => node('columnheader', `column ${at}`));
const namesOf = (rows: readonly (readonly TreeNode[])[]): string[][] =>
  rows.map((row) => row.map(({ name }) => name));

describe('the rows of a tree whose cells are its own children', () => {
  it('are as long as there are column headers, also where nothing has a place', () => {
    const tree = node('tree', '', { children: [...headers(2), cell('a'), cell('1'), cell('b'), cell('2')] });
    expect(namesOf(rowsOf(tree)).slice(-2)).toEqual([
      ['a', '1'],
      ['b', '2'],
    ]);
  });

  it('are cells at one height where there are no headers, or a part is missing', () => {
    const cells = [cell('a', 0), cell('1', 0), cell('b', 20), cell('2', 20), cell('c')];
    for (const first of [[], headers(2)]) {
      const rows = namesOf(rowsOf(node('tree', '', { children: [...first, ...cells] })));
      expect(rows.slice(-3)).toEqual([['a', '1'], ['b', '2'], ['c']]);
    }
  });

  it('have one option each, for which the first cell that is shown stands', () => {
    const hidden = (): TreeNode => node('cell', 'hidden', { states: ['hidden'] });
    const cells = [hidden(), cell('a', 0), cell('1', 0), hidden(), cell('b', 20), cell('2', 20)];
    const tree = node('tree', '', { children: [...headers(3), ...cells] });
    expect(rowOptions(optionsIn(tree)).map(({ label }) => label)).toEqual(['a', 'b']);
  });

  it('leaves lists as they are', () => {
    const list = node('list', '', { children: [node('listitem', 'a'), node('listitem', 'b')] });
    expect(rowOptions(optionsIn(list)).map(({ label }) => label)).toEqual(['a', 'b']);
  });
});
