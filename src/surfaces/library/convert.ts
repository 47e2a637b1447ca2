import { camelCase } from './library-speller.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import { isRecord } from '../../model/is-record.ts';
import { nearest } from '../../model/text/nearest.ts';
import { positionalsFor } from '../../model/text/positionals.ts';
import { keysOfShape, stepShape } from './shape.ts';
import type { ObjectShape, Shape, ShapeKey, CommandShape, ShapeTable } from './shape.ts';

type Named = Readonly<Record<string, Shape | null>>;

/** Wire keys to camelCase, as far as the shape contains them: keys that are data, such as names of attributes, are not converted. */
export function toCamel(value: unknown, shape: Shape | null, named: Named): unknown {
  return renamed(value, shape, { named, naming: 'wire', target: 'camel', onUnknown: () => undefined });
}

/**
 * camelCase keys to wire keys, leaving out undefined values.
 * @param what names the call in the error
 * @throws DeskterityError INVALID_ARGUMENT for a key that the shape does not contain
 */
export function toWire(value: unknown, shape: Shape | null, named: Named, what: string): unknown {
  const onUnknown = (key: string, known: readonly string[]): never => {
    throw unknownKey(key, known, what);
  };
  return renamed(value, shape, { named, naming: 'camel', target: 'wire', onUnknown });
}

interface Renaming {
  readonly named: Named;
  readonly naming: Naming;
  readonly target: Naming;
  readonly onUnknown: (key: string, known: readonly string[]) => void;
}

function renamed(value: unknown, shape: Shape | null, renaming: Renaming): unknown {
  const { named, naming, target, onUnknown } = renaming;
  const resolved = resolve(value, shape, named, naming);
  if (resolved === null) return value;
  if ('items' in resolved)
    return Array.isArray(value) ? value.map((item) => renamed(item, resolved.items, renaming)) : value;
  if (!isRecord(value)) return value;
  if ('of' in resolved) return renamedStep(value, resolved.of, renaming);
  const keys = 'values' in resolved ? undefined : keysOf(resolved)[naming];
  const entries: [string, unknown][] = [];
  for (const [key, item] of Object.entries(value)) {
    if (item === undefined && target === 'wire' && keys !== undefined) continue;
    const known = keys?.get(key);
    if (keys !== undefined && known === undefined) onUnknown(key, [...keys.keys()]);
    const itemShape = 'values' in resolved ? resolved.values : (known?.shape ?? null);
    entries.push([known?.[target] ?? key, renamed(item, itemShape, renaming)]);
  }
  return Object.fromEntries(entries);
}

/** Only the input or the answer of its command is converted. */
function renamedStep(
  value: Readonly<Record<string, unknown>>,
  of: 'input' | 'answer',
  renaming: Renaming,
): Record<string, unknown> {
  const { command, ...rest } = value;
  const shape = typeof command === 'string' ? { name: stepShape(command, of) } : null;
  if (of === 'input') {
    const input = renamed(rest, shape, renaming);
    return { command, ...(isRecord(input) ? input : rest) };
  }
  const { answer } = rest;
  return { ...value, ...(answer === undefined ? {} : { answer: renamed(answer, shape, renaming) }) };
}

interface Key extends ShapeKey {
  readonly camel: string;
}

interface Keys {
  readonly wire: ReadonlyMap<string, Key>;
  readonly camel: ReadonlyMap<string, Key>;
}

/** Cached: a tree has one shape and thousands of nodes. */
const knownKeys = new WeakMap<ObjectShape, Keys>();

function keysOf(shape: ObjectShape): Keys {
  const known = knownKeys.get(shape);
  if (known !== undefined) return known;
  const all = keysOfShape(shape).map((key): Key => ({ ...key, camel: camelCase(key.wire) }));
  const keys = {
    wire: new Map(all.map((key) => [key.wire, key])),
    camel: new Map(all.map((key) => [key.camel, key])),
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
  if ('values' in shape || 'of' in shape) return true;
  const known = keysOf(shape)[naming];
  return (
    [...known.values()].every((key) => !key.isRequired || Object.hasOwn(value, key[naming])) &&
    Object.keys(value).every((key) => known.has(key))
  );
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
  const positionals = shape.positionals.map((key) => {
    const known = 'keys' in shape.input ? keysOf(shape.input).wire.get(key) : undefined;
    return { key, isRequired: known?.isRequired === true && input[known.camel] === undefined };
  });
  for (const [index, { key }] of positionalsFor(plain.length, positionals).entries()) {
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
