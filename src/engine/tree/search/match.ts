import { quoteClipped } from '../../../model/text/untrusted-text.ts';
import { DeskterityError } from '../../../model/effects/errors.ts';
import type { OutputNode } from '../../../model/tree/node.ts';
import { parseRole } from '../../../model/tree/role.ts';
import type { FindMethod } from '../../requests/reading.ts';
import type { SearchEntry } from './entries.ts';
import { compilePath } from './path-query.ts';
import { compilePattern } from './pattern.ts';

/** How well each entry matches, above 0 and up to 1; 0 for not at all. */
export type Matcher = (entries: readonly SearchEntry[]) => number[];

const MAX_TEXT = 2000;
/** Names with less likeness are unrelated. */
const FUZZY_THRESHOLD = 0.55;

/** @throws DeskterityError INVALID_ARGUMENT for a pattern, path or role that cannot be understood */
export function createMatcher(method: Exclude<FindMethod, 'cell'>, query: string): Matcher {
  return MATCHERS[method](query);
}

const MATCHERS: Readonly<Record<Exclude<FindMethod, 'cell'>, (query: string) => Matcher>> = {
  exact: (query) => textMatcher(query, (text, wanted) => text === wanted),
  contains: (query) => textMatcher(query, (text, wanted) => text.includes(wanted)),
  regex: createRegexMatcher,
  role: (query) => {
    const role = parseRole(query);
    if (!role) throw unknownRole(query);
    return each((entry) => (entry.node.role === role ? 1 : 0));
  },
  identifier: (query) => {
    const wanted = query.trim().toLowerCase();
    return each((entry) => (entry.node.identifier?.toLowerCase() === wanted ? 1 : 0));
  },
  path: (query) => {
    const matches = compilePath(query);
    return each((entry) => (matches(entry) ? 1 : 0));
  },
  fuzzy: (query) => {
    const wanted = query.trim().toLowerCase();
    return each((entry) => {
      const score = bestLikeness(entry.node, wanted);
      return score >= FUZZY_THRESHOLD ? score : 0;
    });
  },
};

function each(score: (entry: SearchEntry) => number): Matcher {
  return (entries) => entries.map(score);
}

function textMatcher(query: string, matches: (text: string, wanted: string) => boolean): Matcher {
  const wanted = query.trim().toLowerCase();
  return each((entry) => (textsOf(entry.node).some((text) => matches(text.toLowerCase(), wanted)) ? 1 : 0));
}

/** Name, value and description, shortened: the content of long text fields is not searched. */
export function textsOf(node: OutputNode): string[] {
  return [node.name ?? '', node.value ?? '', node.description ?? '']
    .filter((text) => text !== '')
    .map((text) => text.slice(0, MAX_TEXT));
}

export function unknownRole(role: string): DeskterityError {
  return new DeskterityError('INVALID_ARGUMENT', `${quoteClipped(role)} is not a role.`, {
    suggestion:
      'Use an ARIA role such as button, textbox, checkbox, menuitem, tab, listitem; docs/reference/roles-and-states.md lists all.',
  });
}

function createRegexMatcher(pattern: string): Matcher {
  const find = compilePattern(pattern);
  return (entries) => find(entries.map((entry) => textsOf(entry.node))).map((found) => (found ? 1 : 0));
}

/** The best likeness of an element's texts to `wanted`, which is in lower case. */
export function bestLikeness(node: OutputNode, wanted: string): number {
  return Math.max(0, ...textsOf(node).map((text) => likeness(text.toLowerCase(), wanted)));
}

/** Dice coefficient over letter pairs, 0 to 1: tolerates typing errors and word order. */
export function likeness(a: string, b: string): number {
  if (a === b) return 1;
  const left = pairs(a);
  const right = pairs(b);
  if (left.size === 0 || right.size === 0) return 0;
  let shared = 0;
  let total = 0;
  for (const [pair, count] of left) {
    shared += Math.min(count, right.get(pair) ?? 0);
    total += count;
  }
  for (const count of right.values()) total += count;
  return (2 * shared) / total;
}

function pairs(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  const padded = ` ${text.slice(0, 200)} `;
  for (let index = 0; index + 1 < padded.length; index++) {
    const pair = padded.slice(index, index + 2);
    counts.set(pair, (counts.get(pair) ?? 0) + 1);
  }
  return counts;
}
