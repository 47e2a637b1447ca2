import { parseToml } from './toml-library.ts';

const KEY = String.raw`(?:[\w-]+|"[^"]*"|'[^']*')`;
const KEYS = String.raw`${KEY}(?:\s*\.\s*${KEY})*`;
const HEADER = new RegExp(String.raw`^\s*\[\[?\s*(${KEYS})\s*\]`);
const ASSIGNMENT = new RegExp(String.raw`^\s*(${KEYS})\s*=`);
const ONE_KEY = new RegExp(KEY, 'g');

/** Each costs a parse; a real file has one. */
const MOST_CANDIDATES = 8;

/**
 * The line, counted from 1, that first defines a key in a TOML text. The parser keeps no lines, so lines that look right are tested: the
 * text above must be valid and lack the key. A similar line inside a multi-line string fails that test.
 */
export function lineOfKey(text: string, path: readonly string[]): number | undefined {
  const lines = text.split(/\r?\n/);
  let table: readonly string[] = [];
  let candidates = 0;
  for (const [index, line] of lines.entries()) {
    const header = keysIn(HEADER.exec(line)?.[1]);
    const assigned = keysIn(ASSIGNMENT.exec(line)?.[1]);
    if (header !== undefined) table = header;
    const here = header ?? (assigned === undefined ? undefined : [...table, ...assigned]);
    // `log = { level = 1 }` and `[log.level.more]` both define `log.level`.
    const isCandidate = here !== undefined && here.slice(0, path.length).every((key, at) => key === path[at]);
    if (!isCandidate || (header !== undefined && header.length < path.length)) continue;
    candidates += 1;
    if (candidates > MOST_CANDIDATES) return undefined;
    const above = parseToml(lines.slice(0, index).join('\n')).table;
    if (above !== undefined && !has(above, path)) return index + 1;
  }
  return undefined;
}

function keysIn(text: string | undefined): readonly string[] | undefined {
  return text?.match(ONE_KEY)?.map((key) => (/^["']/.test(key) ? key.slice(1, -1) : key));
}

function has(table: unknown, path: readonly string[]): boolean {
  const [key, ...deeper] = path;
  if (key === undefined) return true;
  if (typeof table !== 'object' || table === null) return false;
  const entry = Object.entries(table).find(([name]) => name === key);
  return entry !== undefined && has(entry[1], deeper);
}
