import { mentionCommand } from '../../model/text/mention.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import type { NodeDetails } from '../../ports/desktop.ts';

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

/** A text as an element takes it: an entry in a sheet is ended with Enter anyway, so that one line end behind it says nothing more. */
export function entryFor(node: Pick<NodeDetails, 'role' | 'interfaces'>, text: string): string {
  return isSheetCell(node) ? text.replace(/(?:\r\n|[\n\r])$/, '') : text;
}

/**
 * Enter and Tab take the cursor of a sheet to another cell: what comes behind them would land there.
 *
 * @param isEntry the text is an entry that is ended with Enter; else one Enter or Tab may end it
 * @throws DeskterityError INVALID_ARGUMENT, before anything is sent
 */
export function requireOneCell(text: string, { isEntry }: { readonly isEntry: boolean }): void {
  const inCell = isEntry ? text : text.replace(/(?:\r\n|[\n\r\t])$/, '');
  if (!/[\n\r\t]/.test(inCell)) return;
  throw new DeskterityError(
    'INVALID_ARGUMENT',
    'Line ends and tabs in a text would take it to other cells.',
    {
      suggestion: `Put each cell by its own: ${mentionCommand('set-value', { ref: 'REF', value: 'VALUE' })}.`,
      delivered: false,
    },
  );
}
