import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BodyReader, type BusValue, Variant } from '../../../../src/platform/linux/dbus/index.ts';
import { decodeBody } from '../../../../src/platform/linux/dbus/marshalling/decode.ts';
import { encodeBody } from '../../../../src/platform/linux/dbus/marshalling/encode.ts';
import { BASIC_CODES, basicValue, body, SEED } from './support/arbitrary.ts';

function roundTrip(signature: string, values: readonly BusValue[], littleEndian: boolean): BusValue[] {
  return decodeBody(new BodyReader(encodeBody(signature, values, littleEndian), littleEndian), signature);
}

describe.each([
  ['little-endian', true],
  ['big-endian', false],
])('%s round trip', (_, littleEndian) => {
  it.each(BASIC_CODES)('type %s', (code) => {
    fc.assert(
      fc.property(basicValue(code), ({ signature, value }) => {
        expect(roundTrip(signature, [value], littleEndian)).toEqual([value]);
      }),
      { numRuns: 300, seed: SEED },
    );
  });

  it('bodies of any type', () => {
    fc.assert(
      fc.property(body(), ({ signature, values }) => {
        expect(roundTrip(signature, values, littleEndian)).toEqual(values);
      }),
      { numRuns: 1500, seed: SEED },
    );
  });

  it('bodies that start at an unaligned byte of their buffer', () => {
    fc.assert(
      fc.property(body(), fc.integer({ min: 0, max: 17 }), ({ signature, values }, before) => {
        const bytes = encodeBody(signature, values, littleEndian);
        const buffer = Buffer.concat([Buffer.alloc(before, 0xee), bytes, Buffer.alloc(5, 0xee)]);
        const reader = new BodyReader(buffer, littleEndian, before, before + bytes.length);
        expect(decodeBody(reader, signature)).toEqual(values);
      }),
      { numRuns: 300, seed: SEED },
    );
  });
});

describe('values at the limits', () => {
  it.each<[string, BusValue]>([
    ['d', Number.NaN],
    ['d', -0],
    ['d', Number.NEGATIVE_INFINITY],
    ['d', Number.MIN_VALUE],
    ['x', -(2n ** 63n)],
    ['t', 2n ** 64n - 1n],
    ['s', 'x'.repeat(1_000_000)],
    ['s', '\u{1F600}'.repeat(1000)],
    ['as', []],
    ['a{sv}', new Map()],
    ['a(xy)', []],
    ['ay', Buffer.alloc(0)],
    ['v', new Variant('v', new Variant('v', new Variant('y', 1)))],
    ['o', `/${'a'.repeat(5000)}`],
    ['g', 'y'.repeat(255)],
  ])('%s', (signature, value) => {
    expect(roundTrip(signature, [value], true)).toEqual([value]);
    expect(roundTrip(signature, [value], false)).toEqual([value]);
  });

  it('returns bytes that are independent of their source buffer', () => {
    const bytes = encodeBody('ay', [Buffer.from('kept')]);
    const [value] = decodeBody(new BodyReader(bytes, true), 'ay');
    bytes.fill(0);
    expect(value).toEqual(Buffer.from('kept'));
  });

  it('accepts 32 nested arrays and 32 nested structs, and no more', () => {
    const deepest = `${'a'.repeat(32)}${'('.repeat(32)}y${')'.repeat(32)}`;
    expect(roundTrip(deepest, [[]], true)).toEqual([[]]);
    expect(() => roundTrip(`a${deepest}`, [[]], true)).toThrow(/nested arrays/);
  });

  it('accepts 64 nested containers with variants, and no more', () => {
    const nest = (levels: number): BusValue =>
      levels === 0 ? new Variant('y', 7) : new Variant('v', nest(levels - 1));
    expect(roundTrip('v', [nest(63)], true)).toEqual([nest(63)]);
    expect(() => encodeBody('v', [nest(64)])).toThrow(/nested containers/);
  });
});
