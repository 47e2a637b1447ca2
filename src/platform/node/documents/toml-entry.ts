import { isDeepStrictEqual } from 'node:util';
import type { EntryValue } from '../../../ports/documents.ts';
import { lineEndOf, withEdits, type TextEdit } from './text-edits.ts';
import { tomlStatements, type TomlStatement } from './toml-statements.ts';

/**
 * The text with these keys set in the table at `path`; a missing table is added at the end.
 * @param present the current table; `undefined` if there is none
 * @returns `undefined` if the table is written in a form that cannot be edited, such as an inline table
 */
export function putTomlTable(
  text: string,
  path: readonly string[],
  entry: Readonly<Record<string, EntryValue>>,
  present: Readonly<Record<string, unknown>> | undefined,
): string | undefined {
  const eol = lineEndOf(text);
  const pairs = Object.entries(entry).filter(([key, value]) => !isDeepStrictEqual(present?.[key], value));
  if (present !== undefined && pairs.length === 0) return text;
  if (present === undefined) {
    const lines = [`[${path.map((key) => tomlKey(key)).join('.')}]`, ...pairs.map((pair) => line(pair))];
    const isEnded = text === '' || text.endsWith('\n');
    const isApart = text.trim() === '' || /\n\r?\n$/.test(text);
    return text + (isEnded ? '' : eol) + (isApart ? '' : eol) + lines.map((each) => each + eol).join('');
  }
  const statements = tomlStatements(text);
  const header = statements.findIndex(({ kind, keys }) => kind === 'header' && isDeepStrictEqual(keys, path));
  if (header === -1) return undefined;
  const section = sectionOf(statements, header);
  const edits = pairs.map(([key, value]): TextEdit => {
    const old = section.find(({ kind, keys }) => kind === 'pair' && isDeepStrictEqual(keys, [...path, key]));
    if (old !== undefined) return { start: old.valueStart, end: old.valueEnd, text: tomlValue(value) };
    const place = section.at(-1)?.end ?? text.length;
    const isEnded = text[place - 1] === '\n';
    const written = line([key, value]);
    return { start: place, end: place, text: isEnded ? written + eol : eol + written };
  });
  return withEdits(text, edits);
}

/** The text without everything below `path`; comments around it are kept. */
export function cutTomlTable(text: string, path: readonly string[]): string {
  const statements = tomlStatements(text);
  const isInside = ({ keys }: TomlStatement) =>
    keys.length >= path.length && path.every((key, at) => keys[at] === key);
  let left = text;
  // From the end, so that earlier offsets remain valid.
  for (const [at, statement] of [...statements.entries()].toReversed()) {
    if (!isInside(statement)) continue;
    const last = statement.kind === 'header' ? sectionOf(statements, at).at(-1) : statement;
    const isCutAlready = statement.kind === 'pair' && headerOf(statements, at, isInside);
    if (!isCutAlready) left = cut(left, statement.start, last?.end ?? statement.end);
  }
  return left;
}

/** A statement and, if it is a header, the pairs below it. */
function sectionOf(statements: readonly TomlStatement[], at: number): readonly TomlStatement[] {
  const next = statements.findIndex(({ kind }, index) => index > at && kind === 'header');
  return statements.slice(at, next === -1 ? statements.length : next);
}

/** Whether a pair's header is removed too. */
function headerOf(
  statements: readonly TomlStatement[],
  at: number,
  isInside: (statement: TomlStatement) => boolean,
): boolean {
  const header = statements.slice(0, at).findLast(({ kind }) => kind === 'header');
  return header !== undefined && isInside(header);
}

/** Also removes the empty line above if two in a row, or one at the end, would remain. */
function cut(text: string, start: number, end: number): string {
  const before = text.slice(0, start);
  const after = text.slice(end);
  const isBetween = after === '' || /^\r?\n/.test(after);
  return (isBetween ? before.replace(/(^|\n)\r?\n$/, '$1') : before) + after;
}

function line([key, value]: readonly [string, EntryValue]): string {
  return `${tomlKey(key)} = ${tomlValue(value)}`;
}

function tomlKey(key: string): string {
  return /^[\w-]+$/.test(key) ? key : JSON.stringify(key);
}

/** JSON strings are valid TOML strings. */
function tomlValue(value: EntryValue): string {
  return typeof value === 'object'
    ? `[${value.map((text) => JSON.stringify(text)).join(', ')}]`
    : JSON.stringify(value);
}
