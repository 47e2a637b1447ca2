import { readFormula } from '../../model/tree/formula.ts';
import { roleSet, type Role } from '../../model/tree/role.ts';

/** The field that a value was written into. */
export interface WrittenField {
  readonly role: Role;
  /** What it showed before. */
  readonly was: string;
}

/**
 * Whether a field shows the written value in a longer form: 03 for 3, 0.50 for 0.5, 2026-01-05 for 2026-1-5, (555) 123-4 for 5551234, and 3 px for
 * 3 where it showed px before. Only what is a number as a whole has other forms: somebody may have typed on in any other text. A shorter form may
 * have lost something: 7 is not 007.
 */
export function isSameWritten(read: string, wanted: string, field: WrittenField): boolean {
  const [theirs, ours] = [read.trim(), wanted.trim()];
  return isGrouped(theirs, ours) || isSameDate(theirs, ours) || isSameAmount(theirs, ours, field);
}

/** Fields for telephone, card and account numbers put marks between the characters. Points and commas could make it another number. */
function isGrouped(read: string, wanted: string): boolean {
  if (!GROUPED.test(wanted) || !/^[\p{L}\d(].*[\p{L}\d)]$/u.test(read)) return false;
  return read.replaceAll(/[\s()/\u2010-\u2013-]/g, '') === wanted;
}

/** Letters and digits, with enough digits to be grouped. */
const GROUPED = /^(?=(?:\p{L}*\d){3})[\p{L}\d]+$/u;

/** Dates and times with zeros before their numbers. */
function isSameDate(read: string, wanted: string): boolean {
  if (!DATE.test(wanted) || !DATE.test(read)) return false;
  const [theirs, ours] = [read.split(/(\D)/), wanted.split(/(\D)/)];
  return theirs.length === ours.length && ours.every((piece, index) => isPadded(theirs[index] ?? '', piece));
}

const DATE = /^\d+(?:[-/:]\d+)+(?:[ T]\d+(?::\d+)+)?$/;

/** Whether `read` is `wanted` with zeros before it. */
function isPadded(read: string, wanted: string): boolean {
  return read.endsWith(wanted) && /^0*$/.test(read.slice(0, read.length - wanted.length));
}

interface Amount {
  /** Before the number: +, €. */
  readonly mark: string;
  readonly sign: string;
  readonly whole: string;
  readonly part: string;
  /** After the number: %, °, px, mm. */
  readonly unit: string;
}

const AMOUNT = /^([+\p{Sc}]?)\s?([-\u2212]?)(\d*)(?:\.(\d+))?(.*)$/u;
const UNIT = /^(?:\s?[\p{L}\p{S}%'"′″]{1,4}\.?)?$/u;

/** A text that is one number, with its unit; `undefined` for any other. */
function amountOf(text: string): Amount | undefined {
  const [, mark = '', sign = '', whole = '', part = '', unit = ''] = AMOUNT.exec(text) ?? [];
  if (whole + part === '' || !UNIT.test(unit)) return undefined;
  return { mark, sign: sign === '' ? '' : '-', whole, part, unit: unit.trim() };
}

/** The digits are compared, because large numbers are rounded. */
function isSameAmount(read: string, wanted: string, field: WrittenField): boolean {
  const [theirs, ours] = [amountOf(read), amountOf(wanted)];
  if (theirs === undefined || ours === undefined || theirs.sign !== ours.sign) return false;
  const isSameNumber =
    isPadded(theirs.whole, ours.whole) &&
    theirs.part.startsWith(ours.part) &&
    /^0*$/.test(theirs.part.slice(ours.part.length));
  return isSameNumber && isOfField(theirs, ours, 'mark', field) && isOfField(theirs, ours, 'unit', field);
}

/** Whether the unit or mark was asked for, or is the field's own, not what somebody typed before or after the number. */
function isOfField(
  theirs: Amount,
  ours: Amount,
  affix: 'mark' | 'unit',
  { role, was }: WrittenField,
): boolean {
  if (theirs[affix] === ours[affix]) return true;
  if (ours[affix] !== '') return false;
  const shown = amountOf(was.trim());
  if (shown?.[affix] === theirs[affix] || was.trim() === theirs[affix]) return true;
  // 1 day, 2 days; and a word for a special value has no unit.
  return ADDS_UNITS.has(role) && (shown === undefined || shown[affix] !== '');
}

const ADDS_UNITS = roleSet('spinbutton', 'slider');

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
