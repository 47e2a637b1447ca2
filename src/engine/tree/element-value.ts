import type { NodeDetails } from '../../ports/desktop/elements.ts';
import { isSheetCell } from './sheet-cell.ts';
import { isSameFormula } from './value-forms.ts';

/** The value of an element as text; `undefined` if it has none that can be read. */
export function heldValue(node: NodeDetails): string | undefined {
  if (isNumeric(node)) return String(node.range?.current);
  return node.text ?? node.value;
}

export type ValueEquality = (read: string, wanted: string) => boolean;

/** Numbers are equal as numbers (42 and 42.0), and toolkits store them with rounding; in a text 007 is not 7. */
export function valueEquality(node: NodeDetails): ValueEquality {
  const isSame: ValueEquality = isNumeric(node) ? isSameNumber : (read, wanted) => read === wanted;
  if (!isSheetCell(node)) return isSame;
  const held = heldValue(node);
  return (read, wanted) => isSame(read, wanted) || (read === held && isShownDifferently(node, wanted));
}

function isSameNumber(read: string, wanted: string): boolean {
  const [a, b] = [Number(read), Number(wanted)];
  if (wanted.trim() === '' || !Number.isFinite(a) || !Number.isFinite(b)) return false;
  return Math.abs(a - b) <= Math.max(Math.abs(b) * 1e-9, Number.EPSILON);
}

/** Whether a cell shows `wanted` in another form: the result of a formula, 50% for 0.5. Words count as the number 0. */
function isShownDifferently({ attributes, range }: NodeDetails, wanted: string): boolean {
  const formula = attributes['Formula'] ?? '';
  if (wanted.startsWith('=') && formula !== '' && isSameFormula(formula, wanted)) return true;
  return range !== undefined && range.current !== 0 && isSameNumber(String(range.current), wanted);
}

/** Whether an element is a number by its interface. */
export function isNumeric(node: NodeDetails): boolean {
  if (node.range === undefined || node.role === 'textbox') return false;
  if (!isSheetCell(node)) return true;
  const shown = node.text?.trim() ?? '';
  const number = Number(shown);
  // Digits that were entered as words, such as 007, also count as the number 0.
  return shown !== '' && Number.isFinite(number) && (node.range.current !== 0 || number === 0);
}
