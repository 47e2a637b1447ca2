import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { viewOf } from '../../../../src/platform/linux/dbus/marshalling/body-reader.ts';
import { isPlainAscii, StringCache } from '../../../../src/platform/linux/dbus/marshalling/string-cache.ts';
import { SEED } from './support/arbitrary.ts';

const bytes = fc.uint8Array({ maxLength: 40 }).map((array) => Buffer.from(array));
const nearlyAscii = fc
  .array(
    fc.oneof({ weight: 30, arbitrary: fc.integer({ min: 1, max: 127 }) }, fc.constantFrom(0, 128, 255)),
    {
      maxLength: 40,
    },
  )
  .map((array) => Buffer.from(array));

describe('isPlainAscii', () => {
  it('agrees with a check of every byte', () => {
    fc.assert(
      fc.property(fc.oneof(bytes, nearlyAscii), fc.nat({ max: 9 }), (buffer, skip) => {
        const start = Math.min(skip, buffer.length);
        const expected = buffer.subarray(start).every((byte) => byte > 0 && byte < 128);
        expect(isPlainAscii(viewOf(buffer), start, buffer.length - start)).toBe(expected);
      }),
      { numRuns: 5000, seed: SEED },
    );
  });
});

describe('StringCache', () => {
  it('returns the text of plain ASCII and nothing else, every time', () => {
    const cache = new StringCache();
    fc.assert(
      fc.property(fc.oneof(bytes, nearlyAscii), (buffer) => {
        const view = viewOf(buffer);
        const { length } = buffer;
        const isCached = length > 0 && length <= StringCache.LONGEST && isPlainAscii(view, 0, length);
        const expected = isCached ? buffer.toString('latin1') : undefined;
        expect(cache.read(buffer, view, 0, length)).toBe(expected);
        expect(cache.read(buffer, view, 0, length)).toBe(expected);
      }),
      { numRuns: 5000, seed: SEED },
    );
  });

  it('returns only accepted strings', () => {
    const cache = new StringCache((text) => text.startsWith('/'));
    const buffer = Buffer.from('/aaa');
    expect(cache.read(buffer, viewOf(buffer), 0, 4)).toBe('/aaa');
    expect(cache.read(buffer, viewOf(buffer), 1, 3)).toBeUndefined();
  });
});
