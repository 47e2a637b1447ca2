import { HeldBytes, jsonOf } from './frames.ts';
import { integer, object, oneOf, optional, text, WireError } from './schema.ts';
import type { Infer } from './schema.ts';

/** Longest record: what is longer is sent in pieces. */
const LARGEST_RECORD_BYTES = 1024 * 1024;
/** A letter, and how long the content is, big-endian. */
const HEADER_BYTES = 5;

const attachmentEnd = object({
  kind: oneOf(['detached', 'exited', 'failed']),
  /** Of its shell, where that is known. */
  exitCode: optional(integer()),
  /** Why, for `failed`. */
  message: optional(text),
});

/** How a terminal that somebody was attached to came to its end. */
export type AttachmentEnd = Infer<typeof attachmentEnd>;

/** What goes over a connection from `attached` on, in both directions: a letter, the length, the content. */
export type AttachRecord =
  /** What was typed, or what is shown. */
  | { readonly type: 'bytes'; readonly bytes: Uint8Array }
  /** Of the terminal that the client is in. The first record of a client; nothing is sent to it before. */
  | { readonly type: 'size'; readonly columns: number; readonly rows: number }
  /** The client wants the screen drawn anew. */
  | { readonly type: 'redraw' }
  /** The last record of the daemon. */
  | ({ readonly type: 'end' } & AttachmentEnd);

const LETTERS = { bytes: 0x62, size: 0x73, redraw: 0x72, end: 0x65 } as const;

/** A record, or several where it is long. */
export function encodeRecord(record: AttachRecord): Buffer {
  switch (record.type) {
    case 'bytes':
      return framed(LETTERS.bytes, record.bytes, Math.ceil(record.bytes.length / LARGEST_RECORD_BYTES));
    case 'size': {
      const content = Buffer.alloc(4);
      content.writeUInt16BE(cells(record.columns), 0);
      content.writeUInt16BE(cells(record.rows), 2);
      return framed(LETTERS.size, content);
    }
    case 'redraw':
      return framed(LETTERS.redraw, Buffer.alloc(0));
    default: {
      const { kind, exitCode, message } = record;
      return framed(LETTERS.end, Buffer.from(JSON.stringify({ kind, exitCode, message })));
    }
  }
}

/** Puts records together from the pieces a socket delivers. */
export class RecordReader {
  private readonly held = new HeldBytes();

  /** The records that are whole now. @throws WireError; the reader is of no use afterwards */
  push(piece: Buffer): AttachRecord[] {
    const bytes = this.held.join(piece);
    const records: AttachRecord[] = [];
    let start = 0;
    while (bytes.length - start >= HEADER_BYTES) {
      const length = bytes.readUInt32BE(start + 1);
      if (length > LARGEST_RECORD_BYTES) throw new WireError(`a record claims to have ${length} bytes`);
      const content = start + HEADER_BYTES;
      if (content + length > bytes.length) break;
      records.push(parse(bytes[start] ?? 0, bytes.subarray(content, content + length)));
      start = content + length;
    }
    this.held.keep(bytes, start);
    return records;
  }
}

function framed(letter: number, content: Uint8Array, count = 1): Buffer {
  const records = Buffer.allocUnsafe(content.length + count * HEADER_BYTES);
  let end = 0;
  for (let piece = 0; piece < count; piece += 1) {
    const start = piece * LARGEST_RECORD_BYTES;
    const bytes = content.subarray(start, start + LARGEST_RECORD_BYTES);
    records.writeUInt8(letter, end);
    records.writeUInt32BE(bytes.length, end + 1);
    records.set(bytes, end + HEADER_BYTES);
    end += HEADER_BYTES + bytes.length;
  }
  return records;
}

function parse(letter: number, content: Buffer): AttachRecord {
  switch (letter) {
    case LETTERS.bytes:
      return { type: 'bytes', bytes: content };
    case LETTERS.size:
      if (content.length !== 4) throw new WireError('a size is not two numbers');
      return { type: 'size', columns: content.readUInt16BE(0), rows: content.readUInt16BE(2) };
    case LETTERS.redraw:
      return { type: 'redraw' };
    case LETTERS.end:
      return { type: 'end', ...attachmentEnd.parse(jsonOf(content)) };
    default:
      throw new WireError('a record is of no type that is known');
  }
}

function cells(count: number): number {
  return Math.min(65_535, Math.max(0, Math.trunc(count) || 0));
}
