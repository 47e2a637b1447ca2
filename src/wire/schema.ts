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
  parse(value: unknown): T;
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

/** A value that a schema does not allow. @param expected what it must be, such as `a list of text` */
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

/** @param expected what values are that are of the type, such as `a list of text` */
export function valueOf<T>(expected: string, isOfType: (value: unknown) => value is T): Schema<T> {
  return {
    parse: (value) => {
      if (isOfType(value)) return value;
      throw new Mismatch(expected);
    },
  };
}

/* These three are most of what is parsed: a call less for each makes a screen of text a tenth faster. */

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

/** An object that somebody else parses. */
export const anyObject = valueOf('an object', isRecord);
/** Names with text, such as an environment. */
export const textByName = valueOf('an object in which every member is text', isTextByName);

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

/** Anything, or nothing, that somebody else parses: not so deep that walking it would exhaust the stack. */
export function anything(mostLevels: number): Schema<unknown> {
  const isShallow = (value: unknown): value is unknown => !isDeeperThan(value, mostLevels);
  return valueOf(`nested in at most ${mostLevels} levels`, isShallow);
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) return value.some((each) => isDeeperThan(each, levels - 1));
  // Faster than a list of its members, and this is done with every command.
  for (const name in value) if (isDeeperThan(Reflect.get(value, name), levels - 1)) return true;
  return false;
}

/** Goes as Base64. */
export const bytes: Schema<Uint8Array> = {
  parse: (value) => {
    const encoded = text.parse(value);
    const decoded = Buffer.from(encoded, 'base64');
    // What is not of its alphabet is skipped by the decoder, so that fewer bytes come out.
    if (decoded.length !== Buffer.byteLength(encoded, 'base64') || encoded.length % 4 !== 0)
      throw new Mismatch('Base64');
    return decoded;
  },
};

/** The form of {@link bytes} in JSON. */
export function toBase64({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('base64');
}

/** Goes as `JSON.stringify` writes it. */
export const date: Schema<Date> = {
  parse: (value) => {
    const parsed = new Date(text.parse(value));
    if (!Number.isNaN(parsed.getTime())) return parsed;
    throw new Mismatch('a date');
  },
};

/** A member that may be left out. */
export function optional<T>(schema: Schema<T>): Optional<T> {
  return { ...orUndefined(schema), isOptional: true };
}

/** The same, for a type in which the member is always there. */
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
        throw new Mismatch(`a list of ${least} to ${most}`);
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

/** One of several objects, which are told apart by the member `tag`. */
export function union<Tag extends string, M extends Readonly<Record<string, Shape>>>(
  tag: Tag,
  members: M,
): Schema<Union<Tag, M>> {
  const schemas = new Map<string, Schema<unknown>>();
  const schemaOf = (value: unknown) => {
    const name = anyObject.parse(value)[tag];
    if (typeof name !== 'string' || !Object.hasOwn(members, name))
      throw new Mismatch(`one of ${Object.keys(members).join(', ')}`, tag);
    // Most of a protocol is of no use to one process, and is not made.
    const schema = schemas.get(name) ?? object({ [tag]: text, ...members[name] });
    schemas.set(name, schema);
    return schema;
  };
  return {
    parse: (value) => schemaOf(value).parse(value) as Union<Tag, M>,
  };
}
