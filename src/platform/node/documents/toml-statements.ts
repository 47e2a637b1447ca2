import { parseToml } from './toml-library.ts';

/** A table header or key-value pair of a TOML text, with the offsets of its parts. */
export interface TomlStatement {
  readonly kind: 'header' | 'pair';
  /** From the root; for a pair including the keys of its table. */
  readonly keys: readonly string[];
  /** Where its line begins. */
  readonly start: number;
  /** The value of a pair; the whole of a header. */
  readonly valueStart: number;
  readonly valueEnd: number;
  /** After the line break of its last line. */
  readonly end: number;
}

/** All statements of a valid TOML text, in order; needed because the parser keeps no offsets. */
export function tomlStatements(text: string): readonly TomlStatement[] {
  const found: TomlStatement[] = [];
  let table: readonly string[] = [];
  let at = 0;
  for (;;) {
    at = skipBlank(text, at);
    if (at >= text.length) return found;
    const isHeader = text[at] === '[';
    const keyEnd = skipKey(text, at, isHeader ? ']' : '=');
    const own = keysOf(text.slice(at, keyEnd).replace(/^\[\[?/, ''));
    const valueStart = isHeader ? at : skipSpace(text, keyEnd + 1);
    const valueEnd = isHeader ? skipHeaderEnd(text, keyEnd) : skipValue(text, valueStart);
    const lineBreak = text.indexOf('\n', valueEnd);
    const end = lineBreak === -1 ? text.length : lineBreak + 1;
    if (isHeader) table = own;
    const keys = isHeader ? own : [...table, ...own];
    const start = text.lastIndexOf('\n', at - 1) + 1;
    found.push({ kind: isHeader ? 'header' : 'pair', keys, start, valueStart, valueEnd, end });
    at = end;
  }
}

/** The line, counted from 1, that first defines a key in a valid TOML text; `undefined` if none does. */
export function lineOfKey(text: string, path: readonly string[]): number | undefined {
  // `log = { level = 1 }` and `[log.level.more]` both define `log.level`, but `[log]` does not.
  const found = tomlStatements(text).find(
    ({ kind, keys }) =>
      (kind === 'pair' || keys.length >= path.length) &&
      keys.slice(0, path.length).every((key, at) => key === path[at]),
  );
  return found === undefined ? undefined : text.slice(0, found.start).split('\n').length;
}

function skipBlank(text: string, from: number): number {
  let at = from;
  for (;;) {
    while (/\s/.test(text[at] ?? '')) at += 1;
    if (text[at] !== '#') return at;
    const lineBreak = text.indexOf('\n', at);
    at = lineBreak === -1 ? text.length : lineBreak;
  }
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (text[at] === ' ' || text[at] === '\t') at += 1;
  return at;
}

/** The offset of the character that ends a key; quoted parts may contain it. */
function skipKey(text: string, from: number, ending: ']' | '='): number {
  let at = from;
  while (at < text.length && text[at] !== ending)
    at = text[at] === '"' || text[at] === "'" ? skipText(text, at) : at + 1;
  return at;
}

function skipHeaderEnd(text: string, from: number): number {
  let at = from;
  while (text[at] === ']') at += 1;
  return at;
}

/** The end of a value, without the space and the comment after it. */
function skipValue(text: string, from: number): number {
  let depth = 0;
  let at = from;
  let last = from;
  while (at < text.length) {
    const character = text[at] ?? '';
    if (character === '"' || character === "'") {
      at = skipText(text, at);
      last = at;
      continue;
    }
    if (character === '\n' && depth === 0) return last;
    if (character === '#') {
      const lineBreak = text.indexOf('\n', at);
      at = lineBreak === -1 ? text.length : lineBreak;
      continue;
    }
    if (character === '[' || character === '{') depth += 1;
    if (character === ']' || character === '}') depth -= 1;
    at += 1;
    if (!/\s/.test(character)) last = at;
  }
  return last;
}

/** The end of a string of any of TOML's four kinds. */
function skipText(text: string, from: number): number {
  const quote = text[from] ?? '';
  const triple = quote.repeat(3);
  const isLong = text.startsWith(triple, from);
  const ending = isLong ? triple : quote;
  let at = from + ending.length;
  while (at < text.length && !text.startsWith(ending, at)) at += quote === '"' && text[at] === '\\' ? 2 : 1;
  at += ending.length;
  // A multi-line string may end with up to two quotes of its own.
  const most = isLong ? at + 2 : at;
  while (at < most && text[at] === quote) at += 1;
  return at;
}

/** The parts of a dotted key. */
function keysOf(text: string): readonly string[] {
  const keys: string[] = [];
  let table: unknown = parseToml(`${text} = 0`).table;
  while (typeof table === 'object' && table !== null) {
    const [pair] = Object.entries(table);
    if (pair === undefined) break;
    keys.push(pair[0]);
    table = pair[1];
  }
  return keys;
}
