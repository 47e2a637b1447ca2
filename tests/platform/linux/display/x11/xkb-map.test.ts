import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeLoans } from '../../../../../src/platform/linux/display/x11/input/keyboard/spare-keycodes.ts';
import {
  decodeKey,
  encodeSetKeys,
  keyRecord,
} from '../../../../../src/platform/linux/display/x11/input/keyboard/xkb-map.ts';

const keycode = (number: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(number);
  return bytes;
};

describe('the list of borrowed keys', () => {
  it('is read up to the first invalid entry', () => {
    const lent = keyRecord([0x100_017c]);
    const before = keyRecord([0x1008_ff41]);
    const good = Buffer.concat([keycode(93), lent, before]);
    const [loan, ...others] = decodeLoans(good);
    expect(loan).toMatchObject({ keycode: 93, lent: { keysyms: [0x100_017c] }, before: { record: before } });
    expect(others).toEqual([]);
    expect(decodeLoans(Buffer.concat([good, keycode(7), lent, before, good]))).toHaveLength(1);
    expect(decodeLoans(good.subarray(0, -1))).toEqual([]);
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
        for (const { keycode: key, lent: given } of decodeLoans(Buffer.from(bytes))) {
          expect(key).toBeGreaterThanOrEqual(8);
          expect(given.keysyms.length).toBeGreaterThan(0);
        }
      }),
    );
  });
});

describe('a change of keys', () => {
  it('is one request that writes keys in between unchanged', () => {
    const keys = new Map(
      [8, 9, 10, 11].map((code) => [code, decodeKey(code, keyRecord(code === 9 ? [1, 2] : [code]))]),
    );
    const map = { minKeycode: 8, maxKeycode: 255, types: [], keys, modifiers: new Map() };
    const request = encodeSetKeys(135, map, new Map([10, 8].map((code) => [code, keyRecord([0x3b1])])));
    expect(request.readUInt16LE(2) * 4).toBe(request.length);
    expect([request[14], request[15], request.readUInt16LE(16)]).toEqual([8, 3, 4]);
    expect(request.subarray(36)).toEqual(
      Buffer.concat([keyRecord([0x3b1]), keyRecord([1, 2]), keyRecord([0x3b1])]),
    );
  });
});
