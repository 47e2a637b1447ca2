import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  cellName,
  cellsIn,
  hasCell,
  parseCellRange,
  printCellRange,
} from '../../src/model/tree/cell-range.ts';
import { readFormula } from '../../src/model/tree/formula.ts';

describe('the name of cells', () => {
  it.each([
    ['A1', 'A1', 1],
    ['b2', 'B2', 1],
    ['$B$2', 'B2', 1],
    ['A1:C10', 'A1:C10', 30],
    ['C10:A1', 'A1:C10', 30],
    ['C1:A10', 'A1:C10', 30],
    [' AA7:AA7 ', 'AA7', 1],
    ['XFD1048576', 'XFD1048576', 1],
  ])('%s is %s, which has %i', (text, printed, count) => {
    const range = parseCellRange(text);
    expect(range && printCellRange(range)).toBe(printed);
    expect(range && cellsIn(range)).toBe(count);
  });

  it.each([
    '',
    'A',
    '1',
    'A0',
    'A01',
    'AAAA1',
    'A12345678',
    'A1:',
    ':A1',
    'A1:B',
    'A1 B2',
    'A1;B2',
    'Ä1',
    '@e7',
    'A-1',
  ])('%j names none', (text) => {
    expect(parseCellRange(text)).toBeUndefined();
  });

  it('of any place is read back', () => {
    fc.assert(
      fc.property(fc.nat(1_048_575), fc.nat(16_383), (row, column) => {
        expect(parseCellRange(cellName(row, column))).toEqual({
          top: row,
          bottom: row,
          left: column,
          right: column,
        });
      }),
    );
  });

  it('in a range is one of its cells', () => {
    const range = parseCellRange('B2:C3');
    if (range === undefined) throw new Error('no range');
    for (const name of ['B2', 'C2', 'B3', 'C3']) expect(hasCell(range, name)).toBe(true);
    for (const name of ['A2', 'D3', 'B1', 'C4', 'B2:B3', '', 'Bold'])
      expect(hasCell(range, name)).toBe(false);
  });
});

describe('a reported formula', () => {
  it('is read without the marks of LibreOffice, and known to be cut', () => {
    expect(readFormula('1+1')).toEqual({ text: '=1+1', isCut: false });
    expect(readFormula(String.raw`SUM(B1\,3)`)).toEqual({ text: '=SUM(B1,3)', isCut: false });
    expect(readFormula(String.raw`IF(A1\=3\,1\,2)`)).toEqual({ text: '=IF(A1=3,1,2)', isCut: false });
    expect(readFormula('SUM(A1\\')).toEqual({ text: '=SUM(A1', isCut: true });
    expect(readFormula(String.raw`LEN("\\")`)).toEqual({ text: String.raw`=LEN("\")`, isCut: false });
    expect(readFormula('')).toBeUndefined();
    expect(readFormula(undefined)).toBeUndefined();
  });
});
