import { mentionCommand } from '../../model/text/mention.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import { isInView } from './element-states.ts';
import type { NodeDetails } from '../../ports/desktop/elements.ts';

/**
 * Whether an element is a cell of a spreadsheet: it takes numbers through accessibility and anything from the keyboard, which goes to the cell
 * with the cursor, whatever is selected.
 */
export function isSheetCell({ role, interfaces }: Pick<NodeDetails, 'role' | 'interfaces'>): boolean {
  return (
    (role === 'cell' || role === 'gridcell') &&
    interfaces.includes('Value') &&
    !interfaces.includes('EditableText')
  );
}

/**
 * Whether a cell of a sheet is out of view. It has no place to click, but going to it does the same: it moves the cell cursor there, marks nothing else,
 * and scrolls, as the Name Box does.
 */
export function isCellOutOfView(node: Pick<NodeDetails, 'states' | 'bounds' | 'isNamedByPlace'>): boolean {
  return node.isNamedByPlace === true && !isInView(node);
}

/** Whether a text is a number that is set as such. */
export function isNumberText(text: string): boolean {
  return text.trim() !== '' && Number.isFinite(Number(text));
}

/** The text to enter: an entry in a sheet is completed with Enter anyway, so one line end after it is dropped. */
export function entryFor(node: Pick<NodeDetails, 'role' | 'interfaces'>, text: string): string {
  return isSheetCell(node) ? text.replace(/(?:\r\n|[\n\r])$/, '') : text;
}

/**
 * Enter and Tab move the cursor of a sheet to another cell, which would receive the text after them.
 *
 * @param isEntry the text is an entry that is completed with Enter; else one Enter or Tab may end it
 * @throws DeskterityError INVALID_ARGUMENT, before anything is sent
 */
export function requireOneCell(text: string, { isEntry }: { readonly isEntry: boolean }): void {
  const inCell = isEntry ? text : text.replace(/(?:\r\n|[\n\r\t])$/, '');
  if (!/[\n\r\t]/.test(inCell)) return;
  throw new DeskterityError('INVALID_ARGUMENT', 'Line ends and tabs in the text would move to other cells.', {
    suggestion: `Set each cell separately: ${mentionCommand('set-value', { ref: 'REF', value: 'VALUE' })}.`,
    delivered: false,
  });
}
