import {
  array,
  assert,
  constantFrom,
  integer,
  json,
  oneof,
  property,
  record,
  tuple,
  uint8Array,
} from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RecordReader, encodeRecord, type AttachRecord } from '../../src/wire/attach-records.ts';
import { clientFrame } from '../../src/wire/client-frames.ts';
import { WireError } from '../../src/wire/schema.ts';

const cells = integer({ min: 0, max: 65_535 });
const bytes = uint8Array({ minLength: 1, maxLength: 300 }).map((content): AttachRecord => ({
  type: 'bytes',
  bytes: Buffer.from(content),
}));
const size = record({ columns: cells, rows: cells }).map((of): AttachRecord => ({ type: 'size', ...of }));
const others = constantFrom<AttachRecord>(
  { type: 'redraw' },
  { type: 'end', kind: 'exited', exitCode: 7, message: undefined },
  { type: 'end', kind: 'failed', exitCode: undefined, message: 'ä' },
);

/** A record with text instead of JSON. */
function control(text: string): Buffer {
  return Buffer.concat([Buffer.of(0x63, 0, 0, 0, Buffer.byteLength(text)), Buffer.from(text)]);
}

function read(pieces: readonly Buffer[]): AttachRecord[] {
  const reader = new RecordReader();
  return pieces.flatMap((piece) => reader.push(piece));
}

describe('records of a terminal on the wire', () => {
  it('arrive as they were sent, however they are split', () => {
    assert(
      property(array(oneof(bytes, size, others)), integer({ min: 1, max: 40 }), (records, length) => {
        const sent = Buffer.concat(records.map((one) => encodeRecord(one)));
        const pieces: Buffer[] = [];
        for (let at = 0; at < sent.length; at += length) pieces.push(sent.subarray(at, at + length));
        expect(read(pieces)).toEqual(records);
      }),
    );
  });

  it('are split if they are too long for one', () => {
    const sent = encodeRecord({ type: 'bytes', bytes: Buffer.alloc(2_500_000, 7) });
    const records = read([sent]);
    expect(records.map((one) => (one.type === 'bytes' ? one.bytes.length : 0))).toEqual([
      1_048_576, 1_048_576, 402_848,
    ]);
  });

  it.each([
    ['too long', Buffer.from([0x62, 0xff, 0xff, 0xff, 0xff])],
    ['of no known type', Buffer.from([0x7a, 0, 0, 0, 0])],
    ['a size that is none', control('{"type":"size","columns":80}')],
    ['a size that is negative', control('{"type":"size","columns":80,"rows":-1}')],
    ['control that is no JSON', control('\u0001')],
    ['control that is no UTF-8', Buffer.from([0x63, 0, 0, 0, 1, 0xff])],
    ['control of no known type', control('{"type":"bytes","bytes":"YQ=="}')],
    ['an end with a code that is none', control('{"type":"end","kind":"exited","exitCode":"0"}')],
    ['an end of no known kind', control('{"type":"end"}')],
  ])('are refused if %s', (_, piece) => {
    expect(() => read([piece])).toThrow(WireError);
  });
});

describe('any bytes', () => {
  it('are records or refused, nothing else', () => {
    const letter = constantFrom(0x62, 0x63, 0x00);
    const content = oneof(
      uint8Array({ maxLength: 40 }),
      json().map((text) => Buffer.from(text)),
    );
    assert(
      property(array(tuple(letter, content)), integer({ min: 1, max: 40 }), (records, length) => {
        const sent = Buffer.concat(
          records.map(([type, bytes]) => Buffer.of(type, 0, 0, 0, bytes.length, ...bytes)),
        );
        let failure: unknown = new WireError('none');
        try {
          for (const one of read([sent.subarray(0, length), sent.subarray(length)]))
            expect(['bytes', 'size', 'redraw', 'end']).toContain(one.type);
        } catch (error) {
          failure = error;
        }
        expect(failure).toBeInstanceOf(WireError);
      }),
      { numRuns: 300 },
    );
  });

  it('of a record do not change when more arrive', () => {
    const reader = new RecordReader();
    const sent = encodeRecord({ type: 'bytes', bytes: Buffer.from('first') });
    reader.push(sent.subarray(0, 3));
    const [first] = reader.push(Buffer.concat([sent.subarray(3), sent.subarray(0, 7)]));
    reader.push(Buffer.from('xxx'));
    expect(first).toEqual({ type: 'bytes', bytes: Buffer.from('first') });
  });
});

describe('the attach frame', () => {
  it('is validated', () => {
    expect(clientFrame.parse({ type: 'attach', terminal: { tag: 'api', more: 1 } })).toEqual({
      type: 'attach',
      terminal: { tag: 'api', projectPath: undefined, window: undefined },
    });
    for (const terminal of [undefined, 'api', { tag: 7 }, []])
      expect(() => clientFrame.parse({ type: 'attach', terminal })).toThrow(WireError);
  });
});
