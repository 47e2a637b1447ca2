import { isRecord } from '../../../../model/is-record.ts';
import { clip, reveal } from '../../../../model/text/untrusted-text.ts';

/** Canonical names, each with its other spellings in lower case, by precedence. */
export type SpellingTable = ReadonlyMap<string, readonly string[]>;

export interface MatchedKeys {
  /** By canonical name. */
  readonly values: ReadonlyMap<string, unknown>;
  /** For a debug log: unknown names, and names overridden by others. */
  readonly notes: readonly string[];
}

/** A caller may send any number of names; this many are noted. */
const MOST_NOTES = 20;
const LONGEST_NAME = 64;
const NESTED = 'options';

interface Given {
  readonly key: string;
  readonly value: unknown;
  /** 0 for the canonical name. */
  readonly rank: number;
}

/**
 * Matches given names, in any case, to parameters. If several match one parameter, the spelling with the highest precedence counts, then the first.
 * The entries of an object `options` count as given after all other names. A value of `undefined` counts as not given.
 */
export function matchKeys(
  input: Readonly<Record<string, unknown>>,
  table: SpellingTable,
  tool: string,
): MatchedKeys {
  const ranks = new Map<string, { readonly name: string; readonly rank: number }>();
  for (const [name, aliases] of table)
    for (const [rank, spelling] of [name, ...aliases].entries())
      if (!ranks.has(spelling)) ranks.set(spelling, { name, rank });

  const candidates = new Map<string, Given[]>();
  const notes: string[] = [];
  for (const [key, value] of flattened(input)) {
    if (value === undefined) continue;
    const known = ranks.get(key.toLowerCase());
    if (known === undefined) {
      notes.push(`Ignoring unknown option '${named(key)}' in ${tool} call.`);
      continue;
    }
    const others = candidates.get(known.name);
    const given = { key, value, rank: known.rank };
    if (others === undefined) candidates.set(known.name, [given]);
    else others.push(given);
  }

  const values = new Map<string, unknown>();
  for (const [name, givens] of candidates) {
    // The exact name wins over another case; sorting is stable.
    const precedence = ({ key, rank }: Given) => (key === name ? -1 : rank);
    const [chosen, ...rest] = givens.toSorted((a, b) => precedence(a) - precedence(b));
    if (chosen === undefined) continue;
    values.set(name, chosen.value);
    for (const { key } of rest)
      notes.push(
        `Ignoring option '${named(key)}' in ${tool} call: '${named(chosen.key)}' already sets ${name}.`,
      );
  }
  return { values, notes: bounded(notes) };
}

function flattened(input: Readonly<Record<string, unknown>>): readonly (readonly [string, unknown])[] {
  const own = Object.entries(input).filter(([key]) => key.toLowerCase() !== NESTED);
  const nested = Object.entries(input)
    .filter(([key]) => key.toLowerCase() === NESTED)
    .flatMap(([key, value]) => (isRecord(value) ? Object.entries(value) : [[key, value] as const]));
  return [...own, ...nested];
}

function named(key: string): string {
  return clip(reveal(key), LONGEST_NAME);
}

function bounded(notes: readonly string[]): readonly string[] {
  if (notes.length <= MOST_NOTES) return notes;
  return [...notes.slice(0, MOST_NOTES), `Ignoring ${notes.length - MOST_NOTES} more options.`];
}
