import { camelCase } from './naming.ts';
import { DeskterityError } from '../model/errors.ts';
import { nearest } from '../model/nearest.ts';
import type { Shape } from './shape.ts';

type Named = Readonly<Record<string, Shape | null>>;

/** Wire keys to camelCase, as far as the shape knows them: keys that are data, such as names of attributes, stay as they are. */
export function toCamel(value: unknown, shape: Shape | null, named: Named): unknown {
  const resolved = resolve(value, shape, named, (key) => key);
  if (resolved === null) return value;
  if ('items' in resolved)
    return Array.isArray(value) ? value.map((item) => toCamel(item, resolved.items, named)) : value;
  if (!isRecord(value)) return value;
  if ('values' in resolved) return mapValues(value, (item) => toCamel(item, resolved.values, named));
  const { keys } = resolved;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) =>
      Object.hasOwn(keys, key) ? [camelCase(key), toCamel(item, keys[key] ?? null, named)] : [key, item],
    ),
  );
}

/**
 * camelCase keys to those of the wire. What is `undefined` is left out.
 * @param what names the call in the error
 * @throws DeskterityError INVALID_ARGUMENT for a key that the shape does not know
 */
export function toWire(value: unknown, shape: Shape | null, named: Named, what: string): unknown {
  const resolved = resolve(value, shape, named, camelCase);
  if (resolved === null) return value;
  if ('items' in resolved)
    return Array.isArray(value) ? value.map((item) => toWire(item, resolved.items, named, what)) : value;
  if (!isRecord(value)) return value;
  if ('values' in resolved) return mapValues(value, (item) => toWire(item, resolved.values, named, what));
  const wireKeys = new Map(Object.keys(resolved.keys).map((key) => [camelCase(key), key]));
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  return Object.fromEntries(
    entries.map(([key, item]) => {
      const wireKey = wireKeys.get(key);
      if (wireKey === undefined) throw unknownKey(key, [...wireKeys.keys()], what);
      return [wireKey, toWire(item, resolved.keys[wireKey] ?? null, named, what)];
    }),
  );
}

type Resolved = Exclude<Shape, { readonly name: string } | { readonly oneOf: readonly Shape[] }>;

/** The shape itself: named ones looked up, and of several the one that the value has the form of. */
function resolve(
  value: unknown,
  shape: Shape | null,
  named: Named,
  keyName: (wireKey: string) => string,
): Resolved | null {
  if (shape === null) return null;
  if ('name' in shape) return resolve(value, named[shape.name] ?? null, named, keyName);
  if (!('oneOf' in shape)) return shape;
  for (const option of shape.oneOf) {
    const candidate = resolve(value, option, named, keyName);
    if (candidate !== null && fits(value, candidate, keyName)) return candidate;
  }
  return null;
}

function fits(value: unknown, shape: Resolved, keyName: (wireKey: string) => string): boolean {
  if ('items' in shape) return Array.isArray(value);
  if (!isRecord(value)) return false;
  if ('values' in shape) return true;
  const known = new Set(Object.keys(shape.keys).map(keyName));
  return (
    shape.required.every((key) => Object.hasOwn(value, keyName(key))) &&
    Object.keys(value).every((key) => known.has(key))
  );
}

function mapValues(
  value: Record<string, unknown>,
  change: (item: unknown) => unknown,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, change(item)]));
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function unknownKey(key: string, accepted: readonly string[], what: string): DeskterityError {
  const close = nearest(camelCase(key), accepted);
  const takes = accepted.length === 0 ? 'nothing' : accepted.join(', ');
  return new DeskterityError(
    'INVALID_ARGUMENT',
    `${what} does not take ${JSON.stringify(key.slice(0, 80))}; it takes ${takes}.`,
    { suggestion: close === undefined ? 'Remove it and try again.' : `Did you mean ${close}?` },
  );
}
