import { byPerson } from '../../../model/text/mention.ts';
import { isDeepStrictEqual } from 'node:util';
import { DeskterityError } from '../../../model/effects/errors.ts';
import { isRecord } from '../../../model/is-record.ts';
import { reveal } from '../../../model/text/untrusted-text.ts';
import type {
  DocumentsPort,
  EditedDocument,
  EntryValue,
  PlacedJson,
  PlacedMember,
  PlacedValue,
  TextPlace,
  TextProblem,
} from '../../../ports/documents.ts';
import { cutProperty, nest, newJsonText, propertyOf, putProperty } from './json-entry.ts';
import { parseJson, type JsonNode } from './jsonc-library.ts';
import { lineEndOf } from './text-edits.ts';
import { cutTomlTable, putTomlTable } from './toml-entry.ts';
import { parseToml } from './toml-library.ts';

type Table = Record<string, unknown>;

/** Edits JSON, JSON with comments and TOML. Every result is parsed again: a change outside the entry is an error. */
export function createDocuments(): DocumentsPort {
  return { entry, set, remove, read: readPlacedJson };
}

function entry(document: EditedDocument, path: readonly string[]): unknown {
  let value: unknown = tableOf(document);
  for (const key of path) {
    if (value === undefined) return undefined;
    if (!isTable(value)) throw noTable(document, path);
    value = value[key];
  }
  return value;
}

function set(
  document: EditedDocument,
  path: readonly string[],
  values: Readonly<Record<string, EntryValue>>,
): string {
  const present = entry(document, path);
  if (present !== undefined && !isTable(present)) throw noTable(document, [...path, '']);
  const wanted = withValue(tableOf(document), path, { ...present, ...values });
  const text =
    document.format === 'toml'
      ? putTomlTable(document.text, path, values, present)
      : setJson(document, path, values, present);
  return checked(document, text, wanted);
}

function remove(document: EditedDocument, path: readonly string[]): string {
  if (entry(document, path) === undefined) return document.text;
  const wanted = withValue(tableOf(document), path, undefined);
  // A table that exists only through its subtables disappears with the last of them.
  if (document.format === 'toml')
    return checked(document, cutTomlTable(document.text, path), wanted, withoutEmpty(wanted, path));
  let { text } = document;
  // A key may occur more than once; removing only the last would make another one take effect.
  for (;;) {
    const [object, property] = jsonPlace({ ...document, text }, path);
    if (object === undefined || property === undefined) return checked(document, text, wanted);
    text = cutProperty(text, object, property);
  }
}

function setJson(
  document: EditedDocument,
  path: readonly string[],
  values: Readonly<Record<string, EntryValue>>,
  present: Table | undefined,
): string {
  if (jsonRoot(document) === undefined) {
    const { text } = document;
    const eol = lineEndOf(text);
    const start = text.trim() === '' || text.endsWith('\n') ? '' : eol;
    return (text.trim() === '' ? '' : text) + start + newJsonText(path, values, eol);
  }
  if (present === undefined) return putJson(document, path, values);
  return Object.entries(values)
    .filter(([key, value]) => !isDeepStrictEqual(present[key], value))
    .reduce((text, [key, value]) => putJson({ ...document, text }, [...path, key], value), document.text);
}

/** Writes a value at a path, creating missing objects. */
function putJson(
  document: EditedDocument,
  path: readonly string[],
  value: EntryValue | Readonly<Record<string, EntryValue>>,
): string {
  let object = jsonRoot(document);
  for (const [at, key] of path.entries()) {
    if (object === undefined) break;
    const inner = propertyOf(object, key)?.children?.[1];
    if (inner === undefined || at === path.length - 1)
      return putProperty(document.text, object, key, nest(path.slice(at + 1), value));
    object = inner;
  }
  throw noTable(document, path);
}

/** The object that contains the last key of a path, and its property. */
function jsonPlace(
  document: EditedDocument,
  path: readonly string[],
): readonly [JsonNode?, (JsonNode | undefined)?] {
  let object = jsonRoot(document);
  for (const key of path.slice(0, -1))
    object = object === undefined ? undefined : propertyOf(object, key)?.children?.[1];
  return object === undefined ? [] : [object, propertyOf(object, path.at(-1) ?? '')];
}

function tableOf(document: EditedDocument): Table {
  if (document.format === 'toml') {
    const { table, problem } = parseToml(document.text);
    if (problem !== undefined) throw unreadable(document, 'TOML', problem);
    return { ...table };
  }
  const root = jsonRoot(document);
  const value = root === undefined ? Object.create(null) : valueOf(root);
  if (isTable(value)) return value;
  throw new DeskterityError('CONFIG_INVALID', `${reveal(document.file)} does not contain a JSON object.`, {
    suggestion: 'Correct the file or move it away, then try again.',
  });
}

function jsonRoot(document: EditedDocument): JsonNode | undefined {
  const { root, problem } = parseJson(document.text, { comments: document.format === 'jsonc' });
  if (problem !== undefined) throw unreadable(document, 'JSON', problem);
  return root;
}

/** Objects without a prototype, so that no key has a special meaning. */
function valueOf(node: JsonNode): unknown {
  const { type, children = [], value } = node;
  if (type === 'array') return children.map((child) => valueOf(child));
  if (type !== 'object') return value;
  const table: Table = Object.create(null);
  for (const { children: [key, inner] = [] } of children)
    if (inner !== undefined) table[String(key?.value)] = valueOf(inner);
  return table;
}

function withValue(table: Table, [key, ...deeper]: readonly string[], value: unknown): Table {
  if (key === undefined) return table;
  const inner = table[key];
  const put = deeper.length === 0 ? value : withValue(isTable(inner) ? inner : {}, deeper, value);
  return { ...table, [key]: put };
}

/** Without the empty tables along a path. */
function withoutEmpty(table: Table, [key, ...deeper]: readonly string[]): Table {
  const inner = key === undefined ? undefined : table[key];
  if (key === undefined || !isTable(inner)) return table;
  const left = withoutEmpty(inner, deeper);
  const isEmpty = Object.values(left).every((value) => value === undefined);
  return { ...table, [key]: isEmpty ? undefined : left };
}

/** Returns the text if it parses to one of the wanted tables. */
function checked(document: EditedDocument, text: string | undefined, ...wanted: readonly Table[]): string {
  const held = text === undefined ? undefined : plain(readBack(document, text));
  if (text !== undefined && wanted.some((table) => isDeepStrictEqual(held, plain(table)))) return text;
  throw new DeskterityError(
    'CONFIG_INVALID',
    `${reveal(document.file)} is written in a way that cannot be edited without changing more than the entry.`,
    { suggestion: `Nothing was changed. ${byPerson('Add the entry by hand: --print shows it')}.` },
  );
}

function readBack(document: EditedDocument, text: string): Table | undefined {
  try {
    return tableOf({ ...document, text });
  } catch {
    return undefined;
  }
}

/** Comparable data: tables as maps, without undefined values. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((inner) => plain(inner));
  if (!isTable(value)) return value;
  return new Map(
    Object.entries(value).flatMap(([key, inner]) => (inner === undefined ? [] : [[key, plain(inner)]])),
  );
}

function isTable(value: unknown): value is Table {
  return isRecord(value) && !(value instanceof Date);
}

function unreadable(
  { file }: EditedDocument,
  language: string,
  { reason, line, column }: TextProblem,
): DeskterityError {
  return new DeskterityError(
    'CONFIG_INVALID',
    `${reveal(file)} is not valid ${language} at line ${line}, column ${column}: ${reason}.`,
    { suggestion: 'Nothing was changed. Correct that place and try again.' },
  );
}

function noTable({ file }: EditedDocument, path: readonly string[]): DeskterityError {
  const names = path.slice(0, -1).join('.');
  return new DeskterityError('CONFIG_INVALID', `In ${reveal(file)}, ${names} is not a table.`, {
    suggestion: 'Nothing was changed. Correct or remove it and try again.',
  });
}

/** A whole JSON text with the place of every value; duplicate keys are all included. */
function readPlacedJson(text: string): PlacedJson {
  const { root, problem } = parseJson(text, { comments: false });
  if (problem !== undefined) return { problem };
  if (root === undefined) return { root };
  const placeOf = placesIn(text);
  const valueOf = (node: JsonNode): PlacedValue => {
    const place = placeOf(node.offset);
    const { type, children = [], value } = node;
    if (type === 'array') return { kind: 'array', place, items: children.map((child) => valueOf(child)) };
    if (type === 'object')
      return { kind: 'object', place, members: children.flatMap((child) => memberOf(child)) };
    return { kind: 'scalar', place, value };
  };
  const memberOf = ({ children: [key, value] = [] }: JsonNode): PlacedMember[] =>
    key === undefined || value === undefined
      ? []
      : [{ name: String(key.value), place: placeOf(key.offset), value: valueOf(value) }];
  return { root: valueOf(root) };
}

/** By binary search, as there may be as many lookups as lines. */
function placesIn(text: string): (offset: number) => TextPlace {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
  };
}
