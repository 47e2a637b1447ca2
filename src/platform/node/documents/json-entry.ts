import type { EntryValue } from '../../../ports/documents.ts';
import { triviaFrom, type JsonNode } from './jsonc-library.ts';
import { lineEnd, lineEndOf, lineStart, withEdits, type TextEdit } from './text-edits.ts';

const DEFAULT_INDENT = '  ';

type Nested = EntryValue | { readonly [key: string]: Nested };

/** An object's last property with a name, which is the effective one. */
export function propertyOf(object: JsonNode, name: string): JsonNode | undefined {
  return object.children?.findLast((property) => property.children?.[0]?.value === name);
}

/** The text with a value written at a key of an object; all other bytes are kept. */
export function putProperty(text: string, object: JsonNode, key: string, value: Nested): string {
  const present = propertyOf(object, key)?.children?.[1];
  if (present === undefined) return withEdits(text, insertion(text, object, key, value));
  const isBlock = text.slice(present.offset, end(present)).includes('\n');
  const written = isBlock
    ? inLines(text, value, indentAt(text, present.offset))
    : inOneLine(value, isSpaced(text, present.parent));
  return withEdits(text, [{ start: present.offset, end: end(present), text: written }]);
}

/** A new document with one value at a path. */
export function newJsonText(path: readonly string[], value: Nested, eol: string): string {
  return `${JSON.stringify(nest(path, value), undefined, DEFAULT_INDENT).replaceAll('\n', eol)}${eol}`;
}

export function nest(path: readonly string[], value: Nested): Nested {
  return path.reduceRight((inner, key) => ({ [key]: inner }), value);
}

/** The text without a property of an object; an object with only space left becomes `{}`. */
export function cutProperty(text: string, object: JsonNode, property: JsonNode): string {
  const siblings = object.children ?? [];
  const previous = siblings[siblings.indexOf(property) - 1];
  const commaAfter = commaFrom(text, end(property));
  const stop = commaAfter ?? end(property);
  const edits: TextEdit[] = [];
  let from = property.offset;
  const start = lineStart(text, property.offset);
  // The rest of the line joins the line above, where a line comment would hide it.
  const joins = !text.slice(lineStart(text, start - 1), start).includes('//');
  const isAlone =
    startsLine(text, property.offset) && (joins || text.slice(stop, lineEnd(text, stop)).trim() === '');
  if (isAlone && start > 0) from = text[start - 2] === '\r' ? start - 2 : start - 1;
  else if (!startsLine(text, property.offset)) while (/[ \t]/.test(text[from - 1] ?? '')) from -= 1;
  const commaBefore = previous === undefined ? undefined : commaFrom(text, end(previous));
  if (commaAfter === undefined && commaBefore !== undefined)
    edits.push({ start: commaBefore - 1, end: commaBefore, text: '' });
  edits.push({ start: Math.max(from, commaBefore ?? 0), end: stop, text: '' });
  if (siblings.length === 1) {
    const inside: [number, number] = [object.offset + 1, end(object) - 1];
    const left = text.slice(inside[0], property.offset) + text.slice(stop, inside[1]);
    if (left.trim() === '') return withEdits(text, [{ start: inside[0], end: inside[1], text: '' }]);
  }
  return withEdits(text, edits);
}

function insertion(text: string, object: JsonNode, key: string, value: Nested): readonly TextEdit[] {
  const at = (place: number, written: string): TextEdit => ({ start: place, end: place, text: written });
  const eol = lineEndOf(text);
  const name = JSON.stringify(key);
  const last = object.children?.at(-1);
  if (last === undefined) {
    const inside = text.slice(object.offset + 1, end(object) - 1);
    const place = object.offset + 1 + inside.trimEnd().length;
    if (!text.includes('\n') && object.parent !== undefined)
      return [at(place, `${name}:${inOneLine(value, false)}`)];
    const outer = indentAt(text, object.offset);
    const inner = outer + unitOf(text, object);
    const closing = text.slice(place, end(object) - 1).includes('\n') ? '' : eol + outer;
    return [at(place, `${eol}${inner}${name}: ${inLines(text, value, inner)}${closing}`)];
  }
  const comma = commaFrom(text, end(last));
  const anchor = comma ?? end(last);
  if (startsLine(text, last.offset)) {
    const indent = indentAt(text, last.offset);
    const line = `${eol}${indent}${name}: ${inLines(text, value, indent)}`;
    const place = afterComments(text, anchor);
    return comma === undefined ? [at(end(last), ','), at(place, line)] : [at(place, `${line},`)];
  }
  const spaced = isSpaced(text, last);
  const gap = spaced ? ' ' : '';
  const member = `${name}:${gap}${inOneLine(value, spaced)}`;
  return [at(anchor, comma === undefined ? `,${gap}${member}` : `${gap}${member},`)];
}

function end(node: JsonNode): number {
  return node.offset + node.length;
}

/** The end of the next comma after a place, if only space and comments come before it. */
function commaFrom(text: string, offset: number): number | undefined {
  for (const { kind, end: stop } of triviaFrom(text, offset)) if (kind === 'comma') return stop;
  return undefined;
}

/** The end of the comments on the rest of the line, which describe what precedes them. */
function afterComments(text: string, offset: number): number {
  let place = offset;
  for (const { kind, start, end: stop } of triviaFrom(text, offset)) {
    if (kind === 'line break' || kind === 'comma') break;
    if (kind !== 'comment') continue;
    place = stop;
    if (text.slice(start, stop).includes('\n')) break;
  }
  return place;
}

function startsLine(text: string, offset: number): boolean {
  return text.slice(lineStart(text, offset), offset).trim() === '';
}

/** The indentation of the line that contains a place. */
function indentAt(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(lineStart(text, offset), offset))?.[0] ?? '';
}

/** One indentation step: that of the document's first property. */
function unitOf(text: string, node: JsonNode): string {
  let root = node;
  while (root.parent !== undefined) root = root.parent;
  const [first] = root.children ?? [];
  const indent = first === undefined || !startsLine(text, first.offset) ? '' : indentAt(text, first.offset);
  return indent === '' ? DEFAULT_INDENT : indent;
}

function inLines(text: string, value: Nested, indent: string): string {
  const unit = /\n(\t)/.test(text) ? '\t' : (/\n( +)\S/.exec(text)?.[1] ?? DEFAULT_INDENT);
  return JSON.stringify(value, undefined, unit).replaceAll('\n', lineEndOf(text) + indent);
}

function inOneLine(value: Nested, spaced: boolean): string {
  if (!spaced || typeof value !== 'object') return JSON.stringify(value);
  if (isList(value)) return `[${value.map((text) => JSON.stringify(text)).join(', ')}]`;
  const members = Object.entries(value).map(
    ([key, inner]) => `${JSON.stringify(key)}: ${inOneLine(inner, spaced)}`,
  );
  return `{ ${members.join(', ')} }`;
}

function isList(value: Nested): value is readonly string[] {
  return Array.isArray(value);
}

/** Whether a property has space after its colon. */
function isSpaced(text: string, property: JsonNode | undefined): boolean {
  const colon = property?.colonOffset;
  return colon !== undefined && /\s/.test(text[colon + 1] ?? '');
}
