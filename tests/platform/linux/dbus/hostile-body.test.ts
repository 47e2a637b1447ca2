import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BodyReader, BusError, type BusValue, Variant } from '../../../../src/platform/linux/dbus/index.ts';
import { compileDecoder, decodeBody } from '../../../../src/platform/linux/dbus/marshalling/decode.ts';
import { encodeBody } from '../../../../src/platform/linux/dbus/marshalling/encode.ts';
import { body, SEED } from './support/arbitrary.ts';

function decode(bytes: Buffer, signature: string, littleEndian = true): BusValue[] {
  return decodeBody(new BodyReader(bytes, littleEndian), signature);
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

/** Runs code that must return a value or throw a typed error. */
function outcome(run: () => unknown): string {
  try {
    run();
    return 'decoded';
  } catch (error) {
    if (!(error instanceof BusError)) throw error;
    return error.errorName;
  }
}

const PROTOCOL = 'local.Protocol';

describe('malformed bytes', () => {
  it.each<[string, string, Buffer]>([
    ['a truncated number', 'u', Buffer.from([1, 2, 3])],
    ['an empty body', 'y', Buffer.alloc(0)],
    ['a truncated double', 'd', Buffer.alloc(7)],
    ['a boolean that is neither 0 nor 1', 'b', u32(2)],
    ['padding that is not zero', 'yu', Buffer.from([1, 0, 9, 0, 1, 0, 0, 0])],
    ['truncated padding', 'yu', Buffer.from([1, 0])],
    ['bytes after the last value', 'y', Buffer.from([1, 2])],
    ['a string longer than the body', 's', Buffer.concat([u32(100), Buffer.from('abc\0')])],
    ['a string of 4 GiB', 's', Buffer.concat([u32(0xffff_ffff), Buffer.from('abc\0')])],
    ['a string without its NUL', 's', Buffer.concat([u32(3), Buffer.from('abcd')])],
    ['a string whose NUL is missing', 's', Buffer.concat([u32(3), Buffer.from('abc')])],
    ['a string with a NUL inside', 's', Buffer.concat([u32(3), Buffer.from('a\0c\0')])],
    [
      'a long string with a NUL inside',
      's',
      Buffer.concat([u32(203), Buffer.from(`${'x'.repeat(100)}\0${'x'.repeat(102)}\0`)]),
    ],
    ['a lone continuation byte', 's', Buffer.concat([u32(1), Buffer.from([0x80, 0])])],
    ['an overlong slash', 's', Buffer.concat([u32(2), Buffer.from([0xc0, 0xaf, 0])])],
    ['a surrogate in UTF-8', 's', Buffer.concat([u32(3), Buffer.from([0xed, 0xa0, 0x80, 0])])],
    ['a code point beyond U+10FFFF', 's', Buffer.concat([u32(4), Buffer.from([0xf4, 0x90, 0x80, 0x80, 0])])],
    ['half a character', 's', Buffer.concat([u32(1), Buffer.from([0xc3, 0])])],
    ['an invalid object path', 'o', encodeBody('s', ['a/b'])],
    ['an empty object path', 'o', encodeBody('s', [''])],
    ['an object path with two slashes', 'o', encodeBody('s', ['/a//b'])],
    ['an object path that ends with a slash', 'o', encodeBody('s', ['/a/'])],
    ['an object path that is not ASCII', 'o', encodeBody('s', ['/é'])],
    ['an invalid signature', 'g', Buffer.from('\u0001!\0')],
    ['a truncated signature', 'g', Buffer.from('\u0005ii\0')],
    ['a signature without its NUL', 'g', Buffer.from('\u0002iii')],
    ['a variant without a type', 'v', Buffer.from([0, 0])],
    ['a variant of two types', 'v', Buffer.from('\u0002yy\0\u0001\u0002')],
    ['an array longer than the body', 'au', Buffer.concat([u32(8), u32(1)])],
    ['an array of more than 64 MiB', 'ay', u32(64 * 1024 * 1024 + 1)],
    [
      'an array that ends inside an element',
      'au',
      Buffer.concat([u32(6), u32(1), Buffer.from([1, 0, 0, 0])]),
    ],
    [
      'a string that crosses the end of its array',
      'as',
      Buffer.concat([u32(6), u32(4), Buffer.from('abcd\0')]),
    ],
    ['array padding that is not zero', 'at', Buffer.concat([u32(0), u32(1)])],
    ['a truncated struct', '(yu)', Buffer.from([1])],
    ['a dict entry without its value', 'a{yy}', Buffer.concat([u32(1), u32(0), Buffer.from([1])])],
  ])('%s', (_, signature, bytes) => {
    expect(outcome(() => decode(bytes, signature))).toBe(PROTOCOL);
  });

  it('endlessly nested variants', () => {
    const bytes = Buffer.concat(Array.from({ length: 5000 }, () => Buffer.from('\u0001v\0')));
    expect(outcome(() => decode(bytes, 'v'))).toBe(PROTOCOL);
  });

  it('containers that are too deep only because of variants', () => {
    const inner = `${'a'.repeat(31)}v`;
    const chunk = Buffer.concat([Buffer.from([inner.length]), Buffer.from(`${inner}\0`)]);
    expect(outcome(() => decode(Buffer.concat(Array.from({ length: 4 }, () => chunk)), 'v'))).toBe(PROTOCOL);
    const nest = (levels: number): Variant =>
      levels === 0 ? new Variant('y', 1) : new Variant('av', [nest(levels - 1)]);
    expect(decode(encodeBody('v', [nest(31)]), 'v')).toEqual([nest(31)]);
    expect(outcome(() => encodeBody('v', [nest(32)]))).toBe(PROTOCOL);
  });

  it('an array with too many elements, without running out of memory', () => {
    const bytes = Buffer.concat([u32(8 * 1024 * 1024), Buffer.alloc(8 * 1024 * 1024)]);
    expect(outcome(() => decode(bytes, 'aay'))).toBe(PROTOCOL);
  });
});

describe('signatures', () => {
  it.each([
    'a',
    '(',
    ')',
    '()',
    '(y',
    'a{',
    'a{y}',
    'a{yyy}',
    'a{vy}',
    'a{(y)y}',
    '{yy}',
    'a{ayy}',
    'r',
    'e',
    'z',
    '\0',
    'é',
  ])('%j is refused', (signature) => {
    expect(outcome(() => compileDecoder(signature))).toBe(PROTOCOL);
  });

  it.each([
    ['256 types', 'y'.repeat(256)],
    ['33 arrays', `${'a'.repeat(33)}y`],
    ['33 structs', `${'('.repeat(33)}y${')'.repeat(33)}`],
    ['a great many brackets', '('.repeat(255)],
  ])('%s are refused', (_, signature) => {
    expect(outcome(() => compileDecoder(signature))).toBe(PROTOCOL);
  });

  it('any text is either a signature or a typed error', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...'ybnqiuxtdsoghva(){}rz'.split('')), maxLength: 60 }),
        (signature) => {
          expect(['decoded', PROTOCOL]).toContain(outcome(() => compileDecoder(signature)));
        },
      ),
      { numRuns: 5000, seed: SEED },
    );
  });
});

describe('a damaged body results in a value or a typed error', () => {
  it('truncated at every byte', () => {
    fc.assert(
      fc.property(body(), ({ signature, values }) => {
        const bytes = encodeBody(signature, values);
        for (let length = 0; length < bytes.length; length++) {
          expect(outcome(() => decode(bytes.subarray(0, length), signature))).toBe(PROTOCOL);
        }
      }),
      { numRuns: 200, seed: SEED },
    );
  });

  it('with changed bytes', () => {
    const change = fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 }));
    fc.assert(
      fc.property(
        body(),
        fc.array(change, { minLength: 1, maxLength: 6 }),
        fc.boolean(),
        (typed, changes, order) => {
          const bytes = encodeBody(typed.signature, typed.values);
          if (bytes.length === 0) return;
          for (const [at, value] of changes) bytes[at % bytes.length] = value;
          expect(['decoded', PROTOCOL]).toContain(outcome(() => decode(bytes, typed.signature, order)));
        },
      ),
      { numRuns: 4000, seed: SEED },
    );
  });

  it('random bytes for any signature', () => {
    fc.assert(
      fc.property(body(), fc.uint8Array({ maxLength: 300 }), ({ signature }, noise) => {
        expect(['decoded', PROTOCOL]).toContain(outcome(() => decode(Buffer.from(noise), signature)));
      }),
      { numRuns: 3000, seed: SEED },
    );
  });
});

describe('values that must not be sent', () => {
  it.each<[string, BusValue]>([
    ['y', 256],
    ['y', -1],
    ['y', 1.5],
    ['y', 'a'],
    ['b', 1],
    ['n', 0x8000],
    ['q', -1],
    ['i', 2 ** 31],
    ['u', 2 ** 32],
    ['u', Number.NaN],
    ['u', 1n],
    ['h', -1],
    ['x', 1],
    ['x', 2n ** 63n],
    ['t', -1n],
    ['d', '1'],
    ['s', 5],
    ['s', 'a\0b'],
    ['s', '\uD800'],
    ['o', 'relative'],
    ['o', '/a/'],
    ['g', 'a'],
    ['ay', 'text'],
    ['ay', [256]],
    ['as', ['a', 1]],
    ['as', new Map()],
    ['(yy)', [1]],
    ['(y)', 1],
    ['a{sv}', [['a', new Variant('s', 'b')]]],
    ['a{sv}', new Map([['a', 'b']])],
    ['v', 'a'],
    ['v', new Variant('', 1)],
    ['v', new Variant('yy', 1)],
  ])('%s %o', (signature, value) => {
    expect(outcome(() => encodeBody(signature, [value]))).toBe(PROTOCOL);
  });

  it('more or fewer values than types', () => {
    expect(outcome(() => encodeBody('yy', [1]))).toBe(PROTOCOL);
    expect(outcome(() => encodeBody('y', [1, 2]))).toBe(PROTOCOL);
  });

  it('an array of more than 64 MiB', () => {
    expect(outcome(() => encodeBody('ay', [Buffer.alloc(64 * 1024 * 1024 + 1)]))).toBe(PROTOCOL);
  });
});
