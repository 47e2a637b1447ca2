import { describe, expect, it } from 'vitest';
import { heldValue, sameness } from '../../src/engine/element-value.ts';
import { isSheetCell } from '../../src/engine/sheet-cell.ts';
import type { NodeDetails } from '../../src/ports/desktop.ts';

function cell(text: string, current: number, more: Partial<NodeDetails> = {}): NodeDetails {
  return {
    handle: { app: 'calc', path: '/sheet#16385' },
    role: 'cell',
    nativeRole: 'table cell',
    name: 'B2',
    states: ['editable'],
    text,
    range: { minimum: 0, maximum: 0, step: 0, current },
    attributes: {},
    relations: [],
    interfaces: ['Accessible', 'Text', 'Value'],
    ...more,
  };
}

describe('what a cell of a sheet holds', () => {
  it('is its number where it shows one, else what it shows', () => {
    expect(heldValue(cell('42', 42))).toBe('42');
    expect(heldValue(cell('Item 7', 0))).toBe('Item 7');
    expect(heldValue(cell('', 0))).toBe('');
  });

  it('is the same in words, as a number, as a share or as the formula behind it, and never by chance', () => {
    const holds = (node: NodeDetails, wanted: string): boolean =>
      sameness(node)(heldValue(node) ?? '', wanted);
    expect(holds(cell('42', 42), '42.0')).toBe(true);
    expect(holds(cell('50%', 0.5), '0.5')).toBe(true);
    expect(holds(cell('2', 2, { attributes: { Formula: '1+1' } }), '=1+1')).toBe(true);
    expect(holds(cell('2', 2, { attributes: { Formula: '1+1' } }), '=1+2')).toBe(false);
    // Words count as 0.
    expect(holds(cell('Item 7', 0), '0')).toBe(false);
    expect(holds(cell('', 0), '0')).toBe(false);
    expect(holds(cell('', 0), '')).toBe(true);
  });

  it('is asked of cells that are numbers to accessibility only', () => {
    expect(isSheetCell(cell('1', 1))).toBe(true);
    expect(isSheetCell(cell('1', 1, { interfaces: ['Text'] }))).toBe(false);
    expect(isSheetCell(cell('1', 1, { role: 'spinbutton' }))).toBe(false);
  });
});
