import { camelCase } from './library-speller.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import { isRecord } from '../../model/is-record.ts';
import { nearest } from '../../model/text/nearest.ts';
import { keysOfShape } from './shape.ts';
import type { ObjectShape, Shape, ShapeKey, CommandShape, ShapeTable } from './shape.ts';

type Named = Readonly<Record<string, Shape | null>>;

/** Wire keys to camelCase, as far as the shape knows them: keys that are data, such as names of attributes, stay as they are. */
export function toCamel(value: unknown, shape: Shape | null, named: Named): unknown {
  const resolved = resolve(value, shape, named, 'wire');
  if (resolved === null) return value;
  if ('items' in resolved) return mapList(value, (item) => toCamel(item, resolved.items, named));
  if (!isRecord(value)) return value;
  if ('values' in resolved) return mapValues(value, (item) => toCamel(item, resolved.values, named));
  const { byWire } = keysOf(resolved);
  const entries: [string, unknown][] = [];
  for (const [key, item] of Object.entries(value)) {
    const known = byWire.get(key);
    entries.push(
      known === undefined
        ? [key, item]
        : [known.camel, known.shape === null ? item : toCamel(item, known.shape, named)],
    );
  }
  return Object.fromEntries(entries);
}

/**
 * camelCase keys to those of the wire. What is `undefined` is left out.
 * @param what names the call in the error
 * @throws DeskterityError INVALID_ARGUMENT for a key that the shape does not know
 */
export function toWire(value: unknown, shape: Shape | null, named: Named, what: string): unknown {
  const resolved = resolve(value, shape, named, 'camel');
  if (resolved === null) return value;
  if ('items' in resolved) return mapList(value, (item) => toWire(item, resolved.items, named, what));
  if (!isRecord(value)) return value;
  if ('values' in resolved) return mapValues(value, (item) => toWire(item, resolved.values, named, what));
  const { byCamel } = keysOf(resolved);
  const entries: [string, unknown][] = [];
  for (const [key, item] of Object.entries(value)) {
    if (item === undefined) continue;
    const known = byCamel.get(key);
    if (known === undefined) throw unknownKey(key, [...byCamel.keys()], what);
    entries.push([known.wire, known.shape === null ? item : toWire(item, known.shape, named, what)]);
  }
  return Object.fromEntries(entries);
}

interface Key extends ShapeKey {
  readonly camel: string;
}

interface Keys {
  readonly byWire: ReadonlyMap<string, Key>;
  readonly byCamel: ReadonlyMap<string, Key>;
}

/** Cached: a tree has one shape and thousands of nodes. */
const knownKeys = new WeakMap<ObjectShape, Keys>();

function keysOf(shape: ObjectShape): Keys {
  const known = knownKeys.get(shape);
  if (known !== undefined) return known;
  const all = keysOfShape(shape).map((key): Key => ({ ...key, camel: camelCase(key.wire) }));
  const keys = {
    byWire: new Map(all.map((key) => [key.wire, key])),
    byCamel: new Map(all.map((key) => [key.camel, key])),
  };
  knownKeys.set(shape, keys);
  return keys;
}

type Resolved = Exclude<Shape, { readonly name: string } | { readonly oneOf: readonly Shape[] }>;

/** The naming convention of a value's keys. */
type Naming = 'wire' | 'camel';

/** Looks up a named shape; of alternatives, picks the first that the value fits. */
function resolve(value: unknown, shape: Shape | null, named: Named, naming: Naming): Resolved | null {
  if (shape === null) return null;
  if ('name' in shape) return resolve(value, named[shape.name] ?? null, named, naming);
  if (!('oneOf' in shape)) return shape;
  for (const option of shape.oneOf) {
    const candidate = resolve(value, option, named, naming);
    if (candidate !== null && fits(value, candidate, naming)) return candidate;
  }
  return null;
}

function fits(value: unknown, shape: Resolved, naming: Naming): boolean {
  if ('items' in shape) return Array.isArray(value);
  if (!isRecord(value)) return false;
  if ('values' in shape) return true;
  const { byWire, byCamel } = keysOf(shape);
  const known = naming === 'wire' ? byWire : byCamel;
  return (
    [...known.values()].every((key) => !key.isRequired || Object.hasOwn(value, key[naming])) &&
    Object.keys(value).every((key) => known.has(key))
  );
}

function mapList(value: unknown, change: (item: unknown) => unknown): unknown {
  return Array.isArray(value) ? value.map((item) => change(item)) : value;
}

function mapValues(
  value: Record<string, unknown>,
  change: (item: unknown) => unknown,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, change(item)]));
}

function unknownKey(key: string, accepted: readonly string[], what: string): DeskterityError {
  const close = nearest(camelCase(key), accepted);
  const known = accepted.length === 0 ? 'no parameters' : accepted.join(', ');
  return new DeskterityError(
    'INVALID_ARGUMENT',
    `${what} does not accept ${JSON.stringify(key.slice(0, 80))}; it accepts ${known}.`,
    { suggestion: close === undefined ? 'Remove it and try again.' : `Did you mean ${close}?` },
  );
}

/** The arguments of a method, as the command's input. */
export interface GivenInput {
  readonly input: Record<string, unknown>;
  readonly signal: AbortSignal | undefined;
}

/**
 * Reads the arguments of a method: values in the order of the command's positionals, then an object with the rest.
 * @param method names the call in errors
 * @throws DeskterityError INVALID_ARGUMENT
 */
export function readArguments(
  method: string,
  given: readonly unknown[],
  shape: CommandShape,
  named: ShapeTable['named'],
): GivenInput {
  const last = given.at(-1);
  const options = isRecord(last) ? last : {};
  const plain = (isRecord(last) ? given.slice(0, -1) : given).map((value) => value ?? undefined);
  const { signal, ...input } = options;
  const hasSurplus = plain.slice(shape.positionals.length).some((value) => value !== undefined);
  if (hasSurplus) throw invalid(tooMany(method, shape.positionals));
  for (const [index, key] of shape.positionals.entries()) {
    const value = plain[index];
    if (value === undefined) continue;
    const name = camelCase(key);
    if (isRecord(value)) throw invalid(`Only the last argument of ${method} may be an object.`);
    if (input[name] !== undefined) throw invalid(`${name} was passed to ${method} twice.`);
    input[name] = value;
  }
  if (signal !== undefined && !(signal instanceof AbortSignal))
    throw invalid(`The signal passed to ${method} is not an AbortSignal.`);
  const wire = toWire(input, shape.input, named, method);
  return { input: isRecord(wire) ? wire : {}, signal };
}

function tooMany(method: string, positionals: readonly string[]): string {
  if (positionals.length === 0) return `${method} accepts only an object with options.`;
  return `${method} accepts only ${positionals.map((key) => camelCase(key)).join(', ')} and an object with options.`;
}

function invalid(message: string): DeskterityError {
  return new DeskterityError('INVALID_ARGUMENT', message, {
    suggestion: 'See docs/reference/library.md for the parameters of each method.',
  });
}
