import { readFormula } from '../../model/tree/formula.ts';

/**
 * Whether a field shows a written value in a longer form: 03 for 3, 0.50 for 0.5, 2026-01-05 for 2026-1-5, 3 px for 3, (555) 123-4 for 5551234.
 * A shorter form may have lost something: 7 is not 007.
 */
export function isSameWritten(read: string, wanted: string): boolean {
  if (isGrouped(read.trim(), wanted.trim())) return true;
  const [theirs, ours] = [piecesOf(read.trim()), piecesOf(wanted.trim())];
  // Without a number there is nothing to write differently.
  if (ours.length < 3 || theirs.length !== ours.length) return false;
  return ours.every((piece, index) => {
    const other = theirs[index] ?? '';
    if (index % 2 === 1) return Number(piece) === Number(other) && other.length >= piece.length;
    if (piece === other) return true;
    // A field may add a sign or a unit to a single number.
    const mark = index === 0 ? SIGN : UNIT;
    return ours.length === 3 && piece === '' && mark.test(other);
  });
}

/** Fields for telephone, card and account numbers put marks between the characters. Points and commas could make it another number. */
function isGrouped(read: string, wanted: string): boolean {
  if (!GROUPED.test(wanted) || !/^[\p{L}\d(].*[\p{L}\d)]$/u.test(read)) return false;
  return read.replaceAll(/[\s()/\u2010-\u2013-]/g, '') === wanted;
}

/** Letters and digits, with enough digits to be grouped. */
const GROUPED = /^(?=(?:\p{L}*\d){3})[\p{L}\d]+$/u;

/** Texts and numbers in turn; the first and the last are texts, which may be empty. */
function piecesOf(text: string): string[] {
  return text.split(/(\d+(?:\.\d+)?)/);
}

/** Before a number: +, €. */
const SIGN = /^[+\p{Sc}]\s?$/u;
/** After a number: %, °, px, mm. */
const UNIT = /^\s?[\p{L}\p{S}%'"′″]{1,4}\.?$/u;

/** Whether an application reports `formula` for a cell into which `wanted` was entered. */
export function isSameFormula(formula: string, wanted: string): boolean {
  const theirs = readFormula(formula);
  if (theirs === undefined) return false;
  const [begin, ours] = [comparableFormula(theirs.text), comparableFormula(wanted)];
  if (!theirs.isCut) return begin === ours;
  // It was cut at a colon or semicolon, which is a comma in comparable formulas, except in quotes.
  return ours.startsWith(begin) && /[:;,]/.test(ours.charAt(begin.length));
}

/** A formula as spreadsheets compare it: without blanks and in capitals, except inside quotes. */
export function comparableFormula(formula: string): string {
  const parts = formula.split('"');
  return parts
    .map((part, index) =>
      index % 2 === 0 ? part.replaceAll(/\s+/g, '').replaceAll(';', ',').toUpperCase() : part,
    )
    .join('"');
}
