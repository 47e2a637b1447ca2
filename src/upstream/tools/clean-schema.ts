import { isRecord } from '../../model/is-record.ts';
import { clip, hidingIn, reveal } from '../../model/text/untrusted-text.ts';
import type { ServerSchema } from '../../ports/upstream/servers.ts';

/** A list of tools is sent to a model: a longer schema would cost it more than the tool is worth. */
const LONGEST_SCHEMA = 32 * 1024;
const DEEPEST = 24;
const LONGEST_TEXT = 500;
const MOST_NODES = 3000;

/** Keys with texts for people and models. */
const TEXT_KEYS = new Set(['description', 'title', '$comment']);
/** Names that other programs may take for something of the language. */
const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype']);

/** What stands for a schema that is not passed on: any arguments, which the server checks itself. */
export const ANY_OBJECT: ServerSchema = { type: 'object' };

/**
 * A schema of another server, as it may be shown and checked: its texts on one line, without invisible characters.
 * `undefined` if it is too long, too deep, has names with hidden characters, or is not a schema of an object.
 */
export function cleanSchema(schema: unknown): ServerSchema | undefined {
  let nodes = 0;
  const clean = (value: unknown, depth: number, key: string): unknown => {
    nodes += 1;
    if (nodes > MOST_NODES || depth > DEEPEST) throw new RangeError('The schema is too large.');
    if (typeof value === 'string') return TEXT_KEYS.has(key) ? reveal(clip(value, LONGEST_TEXT)) : value;
    if (Array.isArray(value)) return value.map((item: unknown) => clean(item, depth + 1, ''));
    if (!isRecord(value)) return value;
    if (Object.keys(value).some((name) => hidingIn(name) !== undefined))
      throw new RangeError('A name in the schema has hidden characters.');
    return Object.fromEntries(
      Object.entries(value)
        .filter(([name]) => !FORBIDDEN.has(name))
        .map(([name, inside]) => [name, clean(inside, depth + 1, name)]),
    );
  };
  try {
    const cleaned = clean(schema, 0, '');
    if (!isRecord(cleaned) || (cleaned['type'] !== undefined && cleaned['type'] !== 'object'))
      return undefined;
    const whole = { ...cleaned, type: 'object' };
    return JSON.stringify(whole).length > LONGEST_SCHEMA ? undefined : whole;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
