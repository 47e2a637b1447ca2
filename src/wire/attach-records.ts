import { HeldBytes, jsonOf } from './frames.ts';
import { integer, oneOf, optional, text, union, WireError } from './schema.ts';
import type { Infer } from './schema.ts';

/** Longest record: bytes that are more are sent in pieces. */
const LARGEST_RECORD_BYTES = 1024 * 1024;
/** A letter, and how long the content is, big-endian. */
const HEADER_BYTES = 5;
/** `b` for bytes as they are, `c` for JSON. */
const LETTERS = { bytes: 0x62, control: 0x63 } as const;

const control = union('type', {
  /** Of the terminal that the client is in. The first record of a client; nothing is sent to it before. */
  size: { columns: integer(), rows: integer() },
  /** The client wants the screen drawn anew. */
  redraw: {},
  /** The last record of the daemon. */
  end: {
    kind: oneOf(['detached', 'exited', 'failed']),
    /** Of its shell, where that is known. */
    exitCode: optional(integer()),
    /** Why, for `failed`. */
    message: optional(text),
  },
});

type Control = Infer<typeof control>;

/** How a terminal that somebody was attached to came to its end. */
export type AttachmentEnd = Omit<Extract<Control, { readonly type: 'end' }>, 'type'>;

/** What goes over a connection from `attached` on, in both directions: what was typed, or what is shown, and what is said about it. */
export type AttachRecord = { readonly type: 'bytes'; readonly bytes: Uint8Array } | Control;

/** A record, or several where it is long. */
export function encodeRecord(record: AttachRecord): Buffer {
  const isBytes = record.type === 'bytes';
  const content = isBytes ? record.bytes : Buffer.from(JSON.stringify(record));
  const count = Math.ceil(content.length / LARGEST_RECORD_BYTES);
  const records = Buffer.allocUnsafe(content.length + count * HEADER_BYTES);
  let end = 0;
  for (let start = 0; start < content.length; start += LARGEST_RECORD_BYTES) {
    const piece = content.subarray(start, start + LARGEST_RECORD_BYTES);
    records.writeUInt8(isBytes ? LETTERS.bytes : LETTERS.control, end);
    records.writeUInt32BE(piece.length, end + 1);
    records.set(piece, end + HEADER_BYTES);
    end += HEADER_BYTES + piece.length;
  }
  return records;
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
      const letter = bytes[start];
      const length = bytes.readUInt32BE(start + 1);
      if (letter !== LETTERS.bytes && letter !== LETTERS.control)
        throw new WireError('a record is of no type that is known');
      if (length > LARGEST_RECORD_BYTES) throw new WireError(`a record claims to have ${length} bytes`);
      const end = start + HEADER_BYTES + length;
      if (end > bytes.length) break;
      const content = bytes.subarray(start + HEADER_BYTES, end);
      records.push(
        letter === LETTERS.bytes ? { type: 'bytes', bytes: content } : control.parse(jsonOf(content)),
      );
      start = end;
    }
    this.held.keep(bytes, start);
    return records;
  }
}
