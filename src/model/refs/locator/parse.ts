import { DeskterityError } from '../../effects/errors.ts';
import { nearest } from '../../text/nearest.ts';
import { CELL_RANGE, parseCellRange, printCellRange } from '../../tree/cell-range.ts';
import { parseRole, ROLES } from '../../tree/role.ts';
import { STATES, type State } from '../../tree/state.ts';
import { quote } from '../../text/untrusted-text.ts';
import { LOCATOR_KINDS, TEXT_ATTRIBUTES, TEXT_OPERATORS } from './grammar.ts';
import type { Locator, LocatorFilter, LocatorKind, LocatorStep } from './grammar.ts';
import { meantLocator } from './meant.ts';
import { parsePath } from './path.ts';
import { Scanner } from './scanner.ts';

/** Longer locators are mistakes, and matching is repeated for each element of a window. */
const LONGEST_LOCATOR = 4000;
const MOST_STEPS = 16;
const LARGEST_NTH = 100_000;

const SPACE = /\s*/y;
const WORD = /[A-Za-z][\w-]*/y;
const BARE = /[^\s"'[\]>]+/y;
const PREFIX = /[A-Za-z]+:/y;
/** B2 or A1:C10 as a whole step, in capitals: e2 is a reference. */
const BARE_CELLS = new RegExp(String.raw`(?![^\s[]*[a-z])${CELL_RANGE}(?=\[|\s*(?:$|>>))`, 'y');
const CHAIN = /\s*>>\s*/y;
/** To the end of the step: quotes and brackets may hold anything. */
const BARE_PATH = /(?:"[^"]*"|'[^']*'|\[(?:"[^"]*"|'[^']*'|[^\]"'])*\]|(?!\s*>>)[^"'[\]])+/y;

/** @throws DeskterityError INVALID_ARGUMENT, naming the character at which parsing fails */
export function parseLocator(text: string): Locator {
  try {
    return readLocator(text);
  } catch (error) {
    if (!(error instanceof DeskterityError)) throw error;
    const meant = meantLocator(text, isLocator);
    if (meant === undefined) throw error;
    throw new DeskterityError(error.code, error.message, { suggestion: `Did you mean ${meant}?` });
  }
}

function isLocator(text: string): boolean {
  try {
    readLocator(text);
    return true;
  } catch {
    return false;
  }
}

function readLocator(text: string): Locator {
  const scanner = new Scanner(text);
  if (text.length > LONGEST_LOCATOR)
    throw scanner.problem(`it is longer than ${LONGEST_LOCATOR} characters`, LONGEST_LOCATOR);
  scanner.take(SPACE);
  const scope: { app?: string; window?: string } = {};
  const steps: LocatorStep[] = [];
  for (;;) {
    const at = scanner.at;
    const prefix = scanner.take(PREFIX)?.slice(0, -1).toLowerCase();
    if (prefix === 'app' || prefix === 'window') {
      if (steps.length > 0 || scope[prefix] !== undefined)
        throw scanner.problem(`${prefix}: can only be given once, at the beginning`, at);
      scope[prefix] = nonEmpty(scanner, 'its name');
    } else {
      const cells = prefix === undefined ? scanner.take(BARE_CELLS) : undefined;
      if (steps.length === MOST_STEPS) throw scanner.problem(`there are more than ${MOST_STEPS} steps`, at);
      if (cells === undefined) steps.push(takeStep(scanner, toKind(scanner, prefix, at)));
      else steps.push({ kind: 'cell', value: cellsIn(cells) ?? '', ...takeBrackets(scanner) });
    }
    if (scanner.take(CHAIN) === undefined) break;
  }
  scanner.take(SPACE);
  if (!scanner.isAtEnd) throw scanner.expected('">>" or the end; a text with spaces needs quotes');
  if (steps.length === 0) throw scanner.expected('">> " and what to search there');
  return { ...scope, steps };
}

function toKind(scanner: Scanner, prefix: string | undefined, at: number): LocatorKind {
  const kind = LOCATOR_KINDS.find((known) => known === prefix);
  if (kind !== undefined) return kind;
  throw scanner.problem(
    `expected ${LOCATOR_KINDS.map((known) => `${known}:`).join(', ')}, app: or window:`,
    at,
  );
}

function takeStep(scanner: Scanner, kind: LocatorKind): LocatorStep {
  const at = scanner.at;
  if (kind === 'role') {
    const word = scanner.takeValue(WORD, 'a role such as button');
    const role = parseRole(word);
    if (role !== undefined) return { kind, role, ...takeBrackets(scanner) };
    const close = nearest(word, ROLES);
    throw scanner.problem(
      `${quote(word.slice(0, 40))} is not a role`,
      at,
      close === undefined
        ? 'Use an ARIA role such as button, textbox, checkbox, menuitem, tab or listitem.'
        : `Did you mean role:${close}?`,
    );
  }
  if (kind === 'cell') {
    const value = cellsIn(nonEmpty(scanner, 'the name of a cell such as B2'));
    if (value !== undefined) return { kind, value, ...takeBrackets(scanner) };
    throw scanner.problem('expected the name of a cell', at, 'Write cell:B2, or cell:A1:C10 for a range.');
  }
  if (kind !== 'path') return { kind, value: nonEmpty(scanner, 'a text'), ...takeBrackets(scanner) };
  const value = scanner.takeValue(BARE_PATH, 'a path such as toolbar/button[2]').trim();
  try {
    parsePath(value);
  } catch (error) {
    if (!(error instanceof DeskterityError)) throw error;
    throw scanner.problem(error.message.replace(/\.$/, ''), at, error.suggestion);
  }
  return { kind, value, ...takeBrackets(scanner) };
}

/** The name of a cell or range as it is printed. */
function cellsIn(text: string): string | undefined {
  const range = parseCellRange(text);
  return range && printCellRange(range);
}

function nonEmpty(scanner: Scanner, what: string): string {
  const at = scanner.at;
  const value = scanner.takeValue(BARE, what);
  if (value.trim() === '') throw scanner.problem(`${what} is empty`, at);
  return value;
}

function takeBrackets(scanner: Scanner): Pick<LocatorStep, 'filters' | 'nth'> {
  const filters: LocatorFilter[] = [];
  let nth: number | undefined;
  while (scanner.take(/\[\s*/y) !== undefined) {
    const at = scanner.at;
    if (nth !== undefined) throw scanner.problem('[nth=…] must be the last of its step', at);
    const word = scanner.take(WORD)?.toLowerCase();
    if (word === undefined)
      throw scanner.expected('name, value, description, nth or a state such as checked');
    scanner.take(SPACE);
    if (word === 'nth') nth = takeNth(scanner);
    else filters.push(takeFilter(scanner, word, at));
    if (scanner.take(/\s*\]/y) === undefined) throw scanner.expected('"]"');
  }
  return nth === undefined ? { filters } : { filters, nth };
}

function takeNth(scanner: Scanner): number {
  scanner.take(/=\s*/y);
  const nth = Number(scanner.take(/\d{1,9}/y));
  if (nth >= 1 && nth <= LARGEST_NTH) return nth;
  throw scanner.problem(
    `nth is a number from 1 to ${LARGEST_NTH}`,
    scanner.at,
    'Write [nth=2] for the second.',
  );
}

function takeFilter(scanner: Scanner, word: string, at: number): LocatorFilter {
  const attribute = TEXT_ATTRIBUTES.find((known) => known === word);
  if (attribute === undefined) return takeState(scanner, word, at);
  const sign = scanner.take(/[*~]?=/y);
  const operator = TEXT_OPERATORS.find((known) => known === sign);
  if (operator === undefined) throw scanner.expected('=, *= or ~=');
  scanner.take(SPACE);
  const from = scanner.at;
  if (operator !== '~=') {
    const text = scanner.takeValue(BARE, 'a text');
    if (text === '' && operator === '*=') throw scanner.problem('every text contains an empty one', from);
    return { attribute, operator, text };
  }
  const text = scanner.takePattern();
  const why = problemOf(text);
  if (why === undefined) return { attribute, operator, text };
  throw scanner.problem(why, from, 'Escape special characters with a backslash, or use *=.');
}

/** Why a text is not a pattern. */
function problemOf(pattern: string): string | undefined {
  try {
    RegExp(pattern, 'iu');
    return undefined;
  } catch (error) {
    return (error instanceof Error ? error.message : String(error)).replace(/\.$/, '');
  }
}

function takeState(scanner: Scanner, word: string, at: number): LocatorFilter {
  const state: State | undefined = word === 'enabled' ? 'disabled' : STATES.find((known) => known === word);
  if (state === undefined) {
    const close = nearest(word, [...TEXT_ATTRIBUTES, 'nth', 'enabled', ...STATES]);
    throw scanner.problem(
      `${quote(word.slice(0, 40))} is neither name, value, description, nth nor a state`,
      at,
      close === undefined ? undefined : `Did you mean ${exampleOf(close)}?`,
    );
  }
  const answer = scanner.take(/=\s*(?:true|false)/iy);
  const isWanted = answer === undefined || /true$/i.test(answer);
  return { state, holds: word === 'enabled' ? !isWanted : isWanted };
}

/** A filter as it is written; what has a value needs one. */
function exampleOf(word: string): string {
  if (word === 'nth') return '[nth=2]';
  return TEXT_ATTRIBUTES.some((known) => known === word) ? `[${word}="TEXT"]` : `[${word}]`;
}
