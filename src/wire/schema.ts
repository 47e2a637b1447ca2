import { isRecord } from '../model/is-record.ts';

/**
 * What may stand at one place of a frame. The command line loads this with every start, so it is small and uses no package.
 * @example const greeting = object({ name: text, age: optional(integer()) }); // Infer<typeof greeting> is { name: string; age?: number }
 */
export interface Schema<T> {
  /**
   * Takes nothing else than a `T`; members that the schema does not know are left out. What JSON gave is not copied where it is a `T` already.
   * @throws WireError
   */
  parse(this: void, value: unknown): T;
  /** The form that JSON can hold; absent where that is the value itself. */
  encode?(this: void, value: T): unknown;
}

/** Of a member that an object may lack. */
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

/** Bytes that are not of the protocol. Its text never quotes them: frames hold environments, and what people type. */
export class WireError extends Error {
  override readonly name = 'WireError';
}

/** A value that a schema does not allow. */
class Mismatch extends WireError {
  private readonly field: string;
  private readonly expected: string;

  constructor(expected: string, field = '') {
    super(`${field === '' ? 'a frame' : `"${field}" of a frame`} must be ${expected}`);
    this.expected = expected;
    this.field = field;
  }

  /** The same, as seen from the object or list that the value is in. */
  within(key: string | number): Mismatch {
    const rest = this.field === '' || this.field.startsWith('[') ? this.field : `.${this.field}`;
    return new Mismatch(this.expected, `${typeof key === 'number' ? `[${key}]` : key}${rest}`);
  }
}

/** What a schema throws that is written by hand. @param expected what the value must be, such as `a list of text` */
export function mismatch(expected: string): WireError {
  return new Mismatch(expected);
}

export const text: Schema<string> = {
  parse: (value) => {
    if (typeof value === 'string') return value;
    throw mismatch('text');
  },
};

export const flag: Schema<boolean> = {
  parse: (value) => {
    if (typeof value === 'boolean') return value;
    throw mismatch('true or false');
  },
};

export function integer(least = 0, most = Number.MAX_SAFE_INTEGER): Schema<number> {
  return {
    parse: (value) => {
      if (typeof value === 'number' && Number.isSafeInteger(value) && value >= least && value <= most)
        return value;
      throw mismatch(`a whole number from ${least} to ${most}`);
    },
  };
}

export function oneOf<const T extends readonly string[]>(allowed: T): Schema<T[number]> {
  return {
    parse: (value) => {
      for (const each of allowed) if (each === value) return each;
      throw mismatch(`one of ${allowed.join(', ')}`);
    },
  };
}

/** Goes as Base64. */
export const bytes: Schema<Uint8Array> = {
  parse: (value) => {
    const encoded = text.parse(value);
    const decoded = Buffer.from(encoded, 'base64');
    // What is not of its alphabet is skipped by the decoder, so that fewer bytes come out.
    if (decoded.length !== Buffer.byteLength(encoded, 'base64') || encoded.length % 4 !== 0)
      throw mismatch('Base64');
    return decoded;
  },
  encode: ({ buffer, byteOffset, byteLength }) =>
    Buffer.from(buffer, byteOffset, byteLength).toString('base64'),
};

/** Goes as `JSON.stringify` writes it. */
export const date: Schema<Date> = {
  parse: (value) => {
    const parsed = new Date(text.parse(value));
    if (!Number.isNaN(parsed.getTime())) return parsed;
    throw mismatch('a date');
  },
};

/** Names with text, such as an environment. */
export const textByName: Schema<Readonly<Record<string, string>>> = {
  parse: (value) => {
    if (isRecord(value) && hasOnlyText(value)) return value;
    throw mismatch('an object in which every member is text');
  },
};

function hasOnlyText(record: Record<string, unknown>): record is Record<string, string> {
  return Object.values(record).every((each) => typeof each === 'string');
}

/** An object that somebody else parses. */
export const anyObject: Schema<Readonly<Record<string, unknown>>> = {
  parse: (value) => {
    if (isRecord(value)) return value;
    throw mismatch('an object');
  },
};

/** Anything, or nothing, that somebody else parses: not so deep that walking it would exhaust the stack. */
export function anything(mostLevels: number): Schema<unknown> {
  return {
    parse: (value) => {
      if (!isDeeperThan(value, mostLevels)) return value;
      throw mismatch(`nested in at most ${mostLevels} levels`);
    },
  };
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) return value.some((each) => isDeeperThan(each, levels - 1));
  // Faster than a list of its members, and this is done with every command.
  for (const name in value) if (isDeeperThan(Reflect.get(value, name), levels - 1)) return true;
  return false;
}

/** A member that may be left out. */
export function optional<T>(schema: Schema<T>): Optional<T> {
  return { ...orUndefined(schema), isOptional: true };
}

/** The same, for a type in which the member is always there. */
export function orUndefined<T>(schema: Schema<T>): Schema<T | undefined> {
  const { encode } = schema;
  return {
    parse: (value) => (value === undefined ? undefined : schema.parse(value)),
    ...(encode && { encode: (value) => (value === undefined ? undefined : encode(value)) }),
  };
}

export function list<T>(
  item: Schema<T>,
  { least, most } = { least: 0, most: Number.MAX_SAFE_INTEGER },
): Schema<readonly T[]> {
  const { encode } = item;
  return {
    parse: (value) => {
      if (!Array.isArray(value)) throw mismatch('a list');
      if (value.length < least || value.length > most) throw mismatch(`a list of ${least} to ${most}`);
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
    ...(encode && { encode: (items) => items.map((each) => encode(each)) }),
  };
}

export function object<S extends Shape>(shape: S): Schema<Members<S>> {
  const members = Object.entries(shape).map(([key, { parse }]) => ({ key, parse }));
  const encoded = Object.entries(shape).filter(([, { encode }]) => encode !== undefined);
  return {
    parse: (value) => {
      if (!isRecord(value)) throw mismatch('an object');
      let result = value;
      let known = 0;
      let at = '';
      try {
        for (const { key, parse } of members) {
          at = key;
          const given = value[key];
          const parsed = parse(given);
          if (given !== undefined) known += 1;
          if (parsed === given) continue;
          if (result === value) result = { ...value };
          result[key] = parsed;
        }
      } catch (error) {
        throw error instanceof Mismatch ? error.within(at) : error;
      }
      if (Object.keys(value).length === known) return result as Members<S>;
      return Object.fromEntries(members.map(({ key }) => [key, result[key]])) as Members<S>;
    },
    ...(encoded.length > 0 && {
      encode: (value: Readonly<Record<string, unknown>>) => ({
        ...value,
        ...Object.fromEntries(encoded.map(([key, schema]) => [key, schema.encode?.(value[key])])),
      }),
    }),
  };
}

type Union<Tag extends string, M extends Readonly<Record<string, Shape>>> = {
  [K in keyof M]: Flat<{ readonly [P in Tag]: K } & Members<M[K]>>;
}[keyof M];

/** One of several objects, which are told apart by the member `tag`. */
export function union<Tag extends string, M extends Readonly<Record<string, Shape>>>(
  tag: Tag,
  members: M,
): Schema<Union<Tag, M>> {
  const schemas = new Map(
    Object.entries(members).map(([name, shape]) => [name, object({ [tag]: text, ...shape })]),
  );
  const schemaOf = (value: unknown) => {
    const name = isRecord(value) ? value[tag] : undefined;
    const schema = typeof name === 'string' ? schemas.get(name) : undefined;
    if (schema !== undefined) return schema;
    throw isRecord(value)
      ? new Mismatch(`one of ${[...schemas.keys()].join(', ')}`, tag)
      : mismatch('an object');
  };
  return {
    parse: (value) => schemaOf(value).parse(value) as Union<Tag, M>,
    ...([...schemas.values()].some(({ encode }) => encode !== undefined) && {
      encode: (value: Union<Tag, M>) => {
        const { encode } = schemaOf(value);
        return encode === undefined ? value : encode(value);
      },
    }),
  };
}
