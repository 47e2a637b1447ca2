import type { NodeDetails } from '../ports/desktop.ts';

/**
 * Whether an element is a cell of a spreadsheet: a number to accessibility, anything to the keyboard, which goes to the one cell that has the
 * cursor, whatever is selected.
 */
export function isSheetCell({ role, interfaces }: Pick<NodeDetails, 'role' | 'interfaces'>): boolean {
  return (
    (role === 'cell' || role === 'gridcell') &&
    interfaces.includes('Value') &&
    !interfaces.includes('EditableText')
  );
}
