import { isRecord } from '../model/is-record.ts';

/**
 * Parses one value of a frame. The command line loads this at every start, so it is small and uses no package.
 * @example const greeting = object({ name: text, age: optional(integer()) }); // Infer<typeof greeting> is { name: string; age?: number }
 */
export interface Schema<T> {
  /**
   * Accepts only a `T` and drops unknown members. A value that already is a `T` is returned without a copy.
   * @throws WireError
   */
  parse(value: unknown): T;
}

/** Schema of an optional member. */
export interface Optional<T> extends Schema<T | undefined> {
  readonly isOptional: true;
}

export type Infer<S extends Schema<unknown>> = ReturnType<S['parse']>;

type Shape = Readonly<Record<string, Schema<unknown>>>;
type Flat<T> = { [K in keyof T]: T[K] };
type OptionalKey<S extends Shape> = {
  [K in keyof S]: S[K] extends Optional<unknown> ? K : never;
}[keyof S];
type Members<S extends Shape> = Flat<
  { readonly [K in Exclude<keyof S, OptionalKey<S>>]: Infer<S[K]> } & {
    readonly [K in OptionalKey<S>]?: Infer<S[K]>;
  }
>;

/** Input that violates the protocol. The message never quotes it, because frames hold environments and typed text. */
export class WireError extends Error {
  override readonly name = 'WireError';
}

/** A value that a schema rejects. @param expected what it must be, such as `a list of strings` */
class Mismatch extends WireError {
  private readonly field: string;
  private readonly expected: string;

  constructor(expected: string, field = '') {
    super(`${field === '' ? 'a frame' : `"${field}" of a frame`} must be ${expected}`);
    this.expected = expected;
    this.field = field;
  }

  /** The same error with the key of the enclosing object or list in front. */
  within(key: string | number): Mismatch {
    const rest = this.field === '' || this.field.startsWith('[') ? this.field : `.${this.field}`;
    return new Mismatch(this.expected, `${typeof key === 'number' ? `[${key}]` : key}${rest}`);
  }
}

/** @param expected describes the type, such as `a list of strings` */
export function valueOf<T>(expected: string, isOfType: (value: unknown) => value is T): Schema<T> {
  return {
    parse: (value) => {
      if (isOfType(value)) return value;
      throw new Mismatch(expected);
    },
  };
}

/* Most parsed values are of these types: one call less per value makes a screen of text 10 % faster. */

export const text: Schema<string> = {
  parse: (value) => {
    if (typeof value === 'string') return value;
    throw new Mismatch('text');
  },
};

export const flag: Schema<boolean> = {
  parse: (value) => {
    if (typeof value === 'boolean') return value;
    throw new Mismatch('true or false');
  },
};

/** An object that is parsed elsewhere. */
export const anyObject = valueOf('an object', isRecord);
/** Names with string values, such as an environment. */
export const textByName = valueOf('an object whose members are strings', isTextByName);

function isTextByName(value: unknown): value is Readonly<Record<string, string>> {
  return isRecord(value) && Object.values(value).every((each) => typeof each === 'string');
}

export function integer(least = 0, most = Number.MAX_SAFE_INTEGER): Schema<number> {
  return {
    parse: (value) => {
      if (typeof value === 'number' && Number.isSafeInteger(value) && value >= least && value <= most)
        return value;
      throw new Mismatch(`a whole number from ${least} to ${most}`);
    },
  };
}

export function oneOf<const T extends readonly string[]>(allowed: T): Schema<T[number]> {
  const isAllowed = (value: unknown): value is T[number] => allowed.some((each) => each === value);
  return valueOf(`one of ${allowed.join(', ')}`, isAllowed);
}

/** Any value, also none, that is parsed elsewhere; bounded in depth so that walking it cannot exhaust the stack. */
export function anything(mostLevels: number): Schema<unknown> {
  const isShallow = (value: unknown): value is unknown => !isDeeperThan(value, mostLevels);
  return valueOf(`nested in at most ${mostLevels} levels`, isShallow);
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) return value.some((each) => isDeeperThan(each, levels - 1));
  // Faster than a list of its members; this runs for every command.
  for (const name in value) if (isDeeperThan(Reflect.get(value, name), levels - 1)) return true;
  return false;
}

/** Encoded as Base64. */
export const bytes: Schema<Uint8Array> = {
  parse: (value) => {
    const encoded = text.parse(value);
    const decoded = Buffer.from(encoded, 'base64');
    // The decoder skips characters outside the alphabet, so that fewer bytes come out.
    if (decoded.length !== Buffer.byteLength(encoded, 'base64') || encoded.length % 4 !== 0)
      throw new Mismatch('Base64');
    return decoded;
  },
};

/** The JSON form of {@link bytes}. */
export function toBase64({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('base64');
}

/** Encoded as `JSON.stringify` writes dates. */
export const date: Schema<Date> = {
  parse: (value) => {
    const parsed = new Date(text.parse(value));
    if (!Number.isNaN(parsed.getTime())) return parsed;
    throw new Mismatch('a date');
  },
};

/** A member that may be absent. */
export function optional<T>(schema: Schema<T>): Optional<T> {
  return { ...orUndefined(schema), isOptional: true };
}

/** The same for a type whose member is always present. */
export function orUndefined<T>(schema: Schema<T>): Schema<T | undefined> {
  return { parse: (value) => (value === undefined ? undefined : schema.parse(value)) };
}

export function list<T>(
  item: Schema<T>,
  { least, most } = { least: 0, most: Number.MAX_SAFE_INTEGER },
): Schema<readonly T[]> {
  return {
    parse: (value) => {
      if (!Array.isArray(value) || value.length < least || value.length > most)
        throw new Mismatch(`a list of ${least} to ${most} items`);
      let items: T[] = value;
      let at = 0;
      try {
        for (; at < value.length; at += 1) {
          const parsed = item.parse(value[at]);
          if (parsed === value[at]) continue;
          if (items === value) items = [...value];
          items[at] = parsed;
        }
        return items;
      } catch (error) {
        throw error instanceof Mismatch ? error.within(at) : error;
      }
    },
  };
}

export function object<S extends Shape>(shape: S): Schema<Members<S>> {
  const members = Object.entries(shape);
  return {
    parse: (value) => {
      if (!isRecord(value)) throw new Mismatch('an object');
      let result = value;
      let known = 0;
      let at = '';
      try {
        for (const [key, schema] of members) {
          at = key;
          const given = value[key];
          const parsed = schema.parse(given);
          if (given !== undefined) known += 1;
          if (parsed === given) continue;
          if (result === value) result = { ...value };
          result[key] = parsed;
        }
      } catch (error) {
        throw error instanceof Mismatch ? error.within(at) : error;
      }
      if (Object.keys(value).length === known) return result as Members<S>;
      return Object.fromEntries(members.map(([key]) => [key, result[key]])) as Members<S>;
    },
  };
}

type Union<Tag extends string, M extends Readonly<Record<string, Shape>>> = {
  [K in keyof M]: Flat<{ readonly [P in Tag]: K } & Members<M[K]>>;
}[keyof M];

/** One of several objects, discriminated by the member `tag`. */
export function union<Tag extends string, M extends Readonly<Record<string, Shape>>>(
  tag: Tag,
  members: M,
): Schema<Union<Tag, M>> {
  const schemas = new Map<string, Schema<unknown>>();
  const schemaOf = (value: unknown) => {
    const name = anyObject.parse(value)[tag];
    if (typeof name !== 'string' || !Object.hasOwn(members, name))
      throw new Mismatch(`one of ${Object.keys(members).join(', ')}`, tag);
    // A process uses only a part of a protocol, so schemas are built on first use.
    const schema = schemas.get(name) ?? object({ [tag]: text, ...members[name] });
    schemas.set(name, schema);
    return schema;
  };
  return {
    parse: (value) => schemaOf(value).parse(value) as Union<Tag, M>,
  };
}
