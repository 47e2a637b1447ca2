import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { viewOf } from '../../../../src/platform/linux/dbus/marshalling/body-reader.ts';
import { FrameReader } from '../../../../src/platform/linux/dbus/frame-reader.ts';
import { BusError, type BusValue } from '../../../../src/platform/linux/dbus/index.ts';
import { decodeBody } from '../../../../src/platform/linux/dbus/marshalling/decode.ts';
import { body, SEED } from './support/arbitrary.ts';
import { buildMessage, buildReply } from './support/message.ts';

interface Reply {
  readonly replySerial: number;
  readonly signature: string;
  readonly values: BusValue[];
}

function collect(chunks: readonly Buffer[]): Reply[] {
  const replies: Reply[] = [];
  const frames = new FrameReader((frame) => {
    frame.readReplyFields();
    const { replySerial, signature } = frame;
    replies.push({ replySerial, signature, values: decodeBody(frame.body(), signature) });
  });
  // One buffer for all chunks, as a socket has.
  const buffer = Buffer.alloc(Math.max(1, ...chunks.map(({ length }) => length)));
  for (const chunk of chunks) {
    buffer.fill(0xee);
    chunk.copy(buffer);
    frames.push(buffer, viewOf(buffer), chunk.length);
  }
  return replies;
}

function split(bytes: Buffer, sizes: readonly number[]): Buffer[] {
  const chunks: Buffer[] = [];
  let at = 0;
  for (let index = 0; at < bytes.length; index++) {
    const size = sizes[index % sizes.length] ?? 1;
    chunks.push(bytes.subarray(at, at + size));
    at += size;
  }
  return chunks;
}

function failure(bytes: Buffer): string {
  try {
    collect([bytes]);
    return 'read';
  } catch (error) {
    if (!(error instanceof BusError)) throw error;
    return `${error.errorName}: ${error.message}`;
  }
}

describe('splitting a stream into messages', () => {
  it('finds the same messages however the stream is split', () => {
    const message = fc.tuple(body(2), fc.integer({ min: 1, max: 0xffff_ffff }), fc.boolean());
    const sizes = fc.array(fc.integer({ min: 1, max: 70 }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(fc.array(message, { minLength: 1, maxLength: 6 }), sizes, (messages, cuts) => {
        const bytes = Buffer.concat(
          messages.map(([typed, serial, littleEndian]) => buildReply(serial, { ...typed, littleEndian })),
        );
        const expected = messages.map(([typed, replySerial]) => ({ replySerial, ...typed }));
        expect(collect(split(bytes, cuts))).toEqual(expected);
        expect(collect([bytes])).toEqual(expected);
      }),
      { numRuns: 500, seed: SEED },
    );
  });

  it('accepts a message of 50 MiB in small chunks, in linear time', () => {
    const content = Buffer.alloc(50 * 1024 * 1024, 7);
    const bytes = buildReply(3, { signature: 'ay', values: [content] });
    const [reply] = collect(split(bytes, [8000]));
    expect(reply?.replySerial).toBe(3);
    expect(reply?.values[0]).toHaveLength(content.length);
  });

  it('allocates no memory for bytes that have not arrived', () => {
    const bytes = buildReply(3);
    bytes.writeUInt32LE(100 * 1024 * 1024, 4);
    const before = process.memoryUsage().arrayBuffers;
    for (let index = 0; index < 50; index++) expect(collect([bytes])).toEqual([]);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(20 * 1024 * 1024);
  });

  it('passes on no message after a stop in the middle of a chunk', () => {
    const seen: number[] = [];
    const frames = new FrameReader((frame) => {
      frame.readReplyFields();
      seen.push(frame.replySerial);
      frames.stop();
    });
    const bytes = Buffer.concat([buildReply(1), buildReply(2)]);
    frames.push(bytes, viewOf(bytes), bytes.length);
    expect(seen).toEqual([1]);
  });
});

describe('headers', () => {
  it('skips unknown fields', () => {
    const bytes = buildReply(4, {
      fields: [
        [200, 'a{sv}', new Map()],
        [3, 's', 'Member'],
        [9, 'u', 0],
        [7, 's', ':1.2'],
      ],
      signature: 's',
      values: ['hello'],
    });
    expect(collect([bytes])).toEqual([{ replySerial: 4, signature: 's', values: ['hello'] }]);
  });

  const change = (edit: (bytes: Buffer) => void): Buffer => {
    const bytes = buildReply(4, { signature: 'u', values: [1] });
    edit(bytes);
    return bytes;
  };

  it.each<[string, Buffer]>([
    ['an unknown byte order', change((bytes) => bytes.writeUInt8(0x6d, 0))],
    ['message type 0', change((bytes) => bytes.writeUInt8(0, 1))],
    ['an unknown protocol version', change((bytes) => bytes.writeUInt8(2, 3))],
    ['serial 0', change((bytes) => bytes.writeUInt32LE(0, 8))],
    ['more than 128 MiB', change((bytes) => bytes.writeUInt32LE(128 * 1024 * 1024, 4))],
    ['a body of 4 GiB', change((bytes) => bytes.writeUInt32LE(0xffff_ffff, 4))],
    ['header fields of 4 GiB', change((bytes) => bytes.writeUInt32LE(0xffff_ffff, 12))],
    ['header fields that end inside a field', change((bytes) => bytes.writeUInt32LE(6, 12))],
    ['no reply serial', buildMessage({ type: 2, fields: [] })],
    ['reply serial 0', buildReply(0)],
    ['a reply serial that is a string', buildMessage({ type: 2, fields: [[5, 's', '4']] })],
    ['a signature that is a string', buildReply(4, { fields: [[8, 's', 'u']] })],
    ['a malformed signature', change((bytes) => bytes.write('!', bytes.lastIndexOf('\u0001u\0') + 1))],
    ['an error without a name', buildMessage({ type: 3, fields: [[5, 'u', 4]] })],
    ['a body without a signature', buildReply(4, { body: Buffer.from([1]) })],
    ['field 0', buildReply(4, { fields: [[0, 's', 'x']] })],
  ])('%s is refused', (_, bytes) => {
    expect(failure(bytes)).toMatch(/^local\.Protocol: /);
  });

  it('a damaged message is read, waits for more bytes, or is refused with a typed error', () => {
    const edits = fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), {
      minLength: 1,
      maxLength: 5,
    });
    fc.assert(
      fc.property(body(2), edits, fc.boolean(), (typed, changes, littleEndian) => {
        const fields = [[7, 's', ':1.2'] as const];
        const bytes = buildReply(4, { ...typed, fields, littleEndian });
        for (const [at, value] of changes) bytes[at % bytes.length] = value;
        expect(failure(bytes)).toMatch(/^(?:read|local\.Protocol)/);
      }),
      { numRuns: 4000, seed: SEED },
    );
  });
});
