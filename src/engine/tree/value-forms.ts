import { readFormula } from '../../model/tree/formula.ts';
import { roleSet, type Role } from '../../model/tree/role.ts';

/** The field that a value was written into. */
export interface WrittenField {
  readonly role: Role;
  /** What it showed before. */
  readonly was: string;
  /** It is a number by its role or interface. */
  readonly isNumber?: boolean;
}

/**
 * How sure it is that the other form is the application's. `known`: the element holds a number or a date, showed this form before, or only zeros in front
 * and marks between digits were added. `possible`: somebody may have typed on.
 */
export type WrittenForm = 'known' | 'possible';

/**
 * Whether a field shows the written value in a longer form: 03 for 3, 0.50 for 0.5, 2026-01-05 for 2026-1-5, (555) 123-4 for 5551234, and 3 px for
 * 3 where it showed px before; `undefined` if it shows another value. Only what is a number as a whole has other forms. A shorter form may have lost
 * something: 7 is not 007. In a text, 1.1 and 1.10 may be two versions.
 */
export function writtenForm(read: string, wanted: string, field: WrittenField): WrittenForm | undefined {
  const [theirs, ours] = [read.trim(), wanted.trim()];
  if (isSameDate(theirs, ours)) return CALENDAR_DATE.test(ours) ? 'known' : asShownBefore(theirs, field);
  if (isSameAmount(theirs, ours, field)) return formOfAmount(theirs, ours, field);
  if (!isGrouped(theirs, ours)) return undefined;
  // 12/34 may be a part of something rather than two groups.
  return theirs.includes('/') ? asShownBefore(theirs, field) : 'known';
}

/**
 * In a text, a unit of its own tells that it is a number, and what it showed before how many decimals it gives numbers: 3.00 for 3 after 2.00, but one
 * more digit may have been typed.
 */
function formOfAmount(read: string, wanted: string, field: WrittenField): WrittenForm {
  if (field.isNumber === true || NUMBERS.has(field.role)) return 'known';
  const [is, ours, was] = [read, wanted, field.was.trim()].map((text) => amountOf(text));
  if (is === undefined || ours === undefined) return 'possible';
  // Who types on does so after the number, not with zeros before it.
  if (is.whole !== ours.whole) return is.part === ours.part ? 'known' : 'possible';
  const hasUnit = is.mark + is.unit !== '';
  const added = is.part.length - ours.part.length;
  const isAsBefore = is.unit === was?.unit && is.part.length === was.part.length && read !== field.was.trim();
  return (added === 0 && hasUnit) || (isAsBefore && (hasUnit || added > 1)) ? 'known' : 'possible';
}

const NUMBERS = roleSet('spinbutton', 'slider', 'scrollbar', 'progressbar');

/** Whether it has letters, digits and marks where the field had them before, with other content. */
function asShownBefore(read: string, { was }: WrittenField): WrittenForm {
  const [is, before] = [read, was.trim()].map((text) =>
    text.replaceAll(/\d/g, '0').replaceAll(/\p{L}/gu, 'a'),
  );
  return is === before && read !== was.trim() ? 'known' : 'possible';
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
/** With the year first: 1-5 may be a chapter, and 1:2:3 a ratio. */
const CALENDAR_DATE = /^\d{4}([-/])\d{1,2}\1\d{1,2}(?:[ T][\d:]+)?$/;

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
