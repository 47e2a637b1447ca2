import * as fc from 'fast-check';
import { type BusValue, Variant } from '../../../../../src/platform/linux/dbus/index.ts';

/** Seed of the property tests, so that failures can be reproduced. */
export const SEED = 20_261_121;

/** A signature and a value of that type. */
export interface Typed {
  readonly signature: string;
  readonly value: BusValue;
}

const bigint = (low: bigint, high: bigint): fc.Arbitrary<bigint> => fc.bigInt({ min: low, max: high });

// D-Bus strings may contain any Unicode text except NUL.
const text = fc
  .oneof(
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.string({ maxLength: 90 }),
    fc.constantFrom('', '\uFFFD', 'é', '\u{1F600}', 'a\uFFFEb'),
  )
  .map((value) => value.replaceAll('\0', ''));

const pathElement = fc.stringMatching(/^[A-Za-z0-9_]{1,9}$/);
const objectPath = fc.array(pathElement, { maxLength: 5 }).map((elements) => `/${elements.join('/')}`);

const SIGNATURES = ['', 's', 'a{sv}', '(iiii)', 'a((so)(so)(so)iiassusau)', 'yy', 'aaaaay', 'a{y(v)}'];

const BASIC: Readonly<Record<string, fc.Arbitrary<BusValue>>> = {
  y: fc.integer({ min: 0, max: 255 }),
  b: fc.boolean(),
  n: fc.integer({ min: -0x8000, max: 0x7fff }),
  q: fc.integer({ min: 0, max: 0xffff }),
  i: fc.integer({ min: -0x8000_0000, max: 0x7fff_ffff }),
  u: fc.integer({ min: 0, max: 0xffff_ffff }),
  h: fc.integer({ min: 0, max: 0xffff_ffff }),
  x: bigint(-(2n ** 63n), 2n ** 63n - 1n),
  t: bigint(0n, 2n ** 64n - 1n),
  d: fc.double(),
  s: text,
  o: objectPath,
  g: fc.constantFrom(...SIGNATURES),
};

/** The codes of the basic types. */
export const BASIC_CODES = Object.keys(BASIC);

const basicCode = fc.constantFrom(...BASIC_CODES);

function typed(signature: string, values: fc.Arbitrary<BusValue>): fc.Arbitrary<Typed> {
  return values.map((value) => ({ signature, value }));
}

function basic(code: string): fc.Arbitrary<Typed> {
  const values = BASIC[code];
  if (values === undefined) throw new Error(`no arbitrary for ${code}`);
  return typed(code, values);
}

// The value arbitrary of a type is chosen first, so that all elements of an array share one type.
type TypeArbitrary = { readonly signature: string; readonly values: fc.Arbitrary<BusValue> };

function basicType(code: string): TypeArbitrary {
  return { signature: code, values: basic(code).map(({ value }) => value) };
}

function type(depth: number): fc.Arbitrary<TypeArbitrary> {
  const leaf = basicCode.map(basicType);
  if (depth === 0) return leaf;
  const inner = type(depth - 1);
  const bytes = fc.constant({
    signature: 'ay',
    values: fc.uint8Array({ maxLength: 30 }).map((value): BusValue => Buffer.from(value)),
  });
  const array = inner
    .filter(({ signature }) => signature !== 'y')
    .map(({ signature, values }) => ({
      signature: `a${signature}`,
      values: fc.array(values, { maxLength: 4 }).map((value): BusValue => value),
    }));
  const dict = fc.tuple(basicCode, inner).map(([key, { signature, values }]) => ({
    signature: `a{${key}${signature}}`,
    values: fc
      .array(fc.tuple(basicType(key).values, values), { maxLength: 4 })
      .map((entries): BusValue => new Map(entries)),
  }));
  const struct = fc.array(inner, { minLength: 1, maxLength: 4 }).map((fields) => ({
    signature: `(${fields.map(({ signature }) => signature).join('')})`,
    values: fc.tuple(...fields.map(({ values }) => values)).map((value): BusValue => value),
  }));
  const variant = fc.constant({
    signature: 'v',
    values: inner.chain(({ signature, values }) =>
      values.map((value): BusValue => new Variant(signature, value)),
    ),
  });
  return fc.oneof({ weight: 3, arbitrary: leaf }, bytes, array, dict, struct, variant);
}

/** One value of one basic type. */
export function basicValue(code: string): fc.Arbitrary<Typed> {
  return basic(code);
}

/** A body: some values with their types, nested up to `depth` containers. */
export function body(depth = 3): fc.Arbitrary<{ signature: string; values: BusValue[] }> {
  return fc
    .array(
      type(depth).chain(({ signature, values }) => typed(signature, values)),
      { maxLength: 4 },
    )
    .map((parts) => ({
      signature: parts.map(({ signature }) => signature).join(''),
      values: parts.map(({ value }) => value),
    }))
    .filter(({ signature }) => signature.length <= 255);
}
