import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  decodeArguments,
  encodeMessage,
  MAX_MESSAGE_BYTES,
  MessageReader,
  WireError,
  type WireValue,
} from '../../../../../src/platform/linux/display/wayland/wire/message.ts';

const HEADER_BYTES = 8;

const ARGUMENTS: Readonly<Record<string, fc.Arbitrary<WireValue>>> = {
  i: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
  u: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
  o: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
  n: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
  f: fc.integer({ min: -(2 ** 31) + 1, max: 2 ** 31 - 1 }).map((units) => units / 256),
  s: fc.string({ unit: 'binary', maxLength: 60 }).map((text) => text.replaceAll('\0', '')),
  a: fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
  h: fc.integer({ min: 3, max: 1000 }),
};

/** The arguments, or why there are none. */
function decoded(signature: string, body: Buffer): WireValue[] | WireError {
  try {
    return decodeArguments(signature, body, () => undefined);
  } catch (error) {
    if (error instanceof WireError) return error;
    throw error;
  }
}

const anyMessage = fc.array(fc.constantFrom(...Object.keys(ARGUMENTS)), { maxLength: 8 }).chain((codes) =>
  fc.record({
    object: fc.integer({ min: 1, max: 2 ** 32 - 1 }),
    opcode: fc.integer({ min: 0, max: 30 }),
    signature: fc.constant(codes.join('')),
    values: fc.tuple(...codes.map((code) => ARGUMENTS[code] ?? fc.constant(0))),
  }),
);

describe('messages of the Wayland protocol', () => {
  it('arrive as they were sent, however the stream is cut', () => {
    fc.assert(
      fc.property(
        fc.array(anyMessage, { minLength: 1, maxLength: 6 }),
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 8 }),
        (messages, cuts) => {
          const encoded = messages.map((each) => encodeMessage(each, each.signature, each.values));
          const descriptors = encoded.flatMap((each) => each.descriptors);
          const stream = Buffer.concat(encoded.map(({ bytes }) => bytes));
          const reader = new MessageReader();
          const arrived = [];
          let turn = 0;
          for (let at = 0; at < stream.length; turn++) {
            const length = cuts[turn % cuts.length] ?? 1;
            arrived.push(...reader.push(stream.subarray(at, at + length)));
            at += length;
          }
          expect(
            arrived.map(({ object, opcode, body }, index) => ({
              object,
              opcode,
              values: decodeArguments(messages[index]?.signature ?? '', body, () => descriptors.shift()),
            })),
          ).toEqual(messages.map(({ object, opcode, values }) => ({ object, opcode, values })));
        },
      ),
    );
  });

  it('are laid out as libwayland does', () => {
    // wl_registry.bind(1, "wl_shm", 1, 3) on object 2, from WAYLAND_DEBUG of wayland-info.
    const { bytes } = encodeMessage({ object: 2, opcode: 0 }, 'usun', [1, 'wl_shm', 1, 3]);
    expect(bytes.toString('hex')).toBe(
      ['02000000', '0000', '2000', '01000000', '07000000', '776c5f73686d0000', '01000000', '03000000'].join(
        '',
      ),
    );
  });

  it.each([
    ['a size below the header', 4],
    ['a size that is no multiple of four', 10],
    ['a size above what libwayland accepts', MAX_MESSAGE_BYTES + 4],
  ])('refuse %s', (_, size) => {
    const header = Buffer.alloc(HEADER_BYTES);
    header.writeUInt32LE(1, 0);
    header.writeUInt32LE((size << 16) >>> 0, 4);
    expect(() => new MessageReader().push(header)).toThrow(WireError);
  });

  it('never read beyond their end, whatever a peer sends', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 80 }),
        fc.array(fc.constantFrom(...Object.keys(ARGUMENTS)), { maxLength: 6 }),
        (bytes, codes) => {
          const outcome = decoded(codes.join(''), Buffer.from(bytes));
          expect(outcome instanceof WireError || outcome.length === codes.length).toBe(true);
        },
      ),
    );
  });

  it.each<[string, string, WireValue[]]>([
    ['a missing argument', 'uu', [1]],
    ['text for a number', 'u', ['1']],
    ['a negative unsigned number', 'u', [-1]],
    ['a fraction', 'i', [0.5]],
    ['a fixed-point number that does not fit', 'f', [2 ** 23]],
    ['text with NUL', 's', ['a\0b']],
    ['a message that is too long', 's', ['x'.repeat(MAX_MESSAGE_BYTES)]],
  ])('are not sent with %s', (_, signature, values) => {
    expect(() => encodeMessage({ object: 1, opcode: 0 }, signature, values)).toThrow(WireError);
  });
});
