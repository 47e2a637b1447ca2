import { HeldBytes, jsonOf } from './frames.ts';
import { integer, oneOf, optional, text, union, WireError, type Infer } from './schema.ts';

/** Longer content is sent as several records. */
const LARGEST_RECORD_BYTES = 1024 * 1024;
/** A letter and the length of the content, big-endian. */
const HEADER_BYTES = 5;
/** `b` for raw bytes, `c` for JSON. */
const LETTERS = { bytes: 0x62, control: 0x63 } as const;

const control = union('type', {
  /** Size of the client's terminal. A client sends it first and receives nothing before. */
  size: { columns: integer(), rows: integer() },
  /** Asks for a full redraw of the screen. */
  redraw: {},
  /** The last record of the daemon. */
  end: {
    kind: oneOf(['detached', 'exited', 'failed']),
    /** Of the shell, if known. */
    exitCode: optional(integer()),
    /** The reason for `failed`. */
    message: optional(text),
  },
});

type Control = Infer<typeof control>;

/** How an attachment ended. */
export type AttachmentEnd = Omit<Extract<Control, { readonly type: 'end' }>, 'type'>;

/** What crosses a connection after `attached`: typed bytes one way, displayed bytes the other, and control records both ways. */
export type AttachRecord = { readonly type: 'bytes'; readonly bytes: Uint8Array } | Control;

/** One record, or several for long content. */
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

/** Assembles records from the pieces a socket delivers. */
export class RecordReader {
  private readonly held = new HeldBytes();

  /** Returns the records that are complete now. @throws WireError; do not use the reader afterwards */
  push(piece: Buffer): AttachRecord[] {
    const bytes = this.held.join(piece);
    const records: AttachRecord[] = [];
    let start = 0;
    while (bytes.length - start >= HEADER_BYTES) {
      const letter = bytes[start];
      const length = bytes.readUInt32BE(start + 1);
      if (letter !== LETTERS.bytes && letter !== LETTERS.control)
        throw new WireError('a record has an unknown type');
      if (length > LARGEST_RECORD_BYTES) throw new WireError(`a record claims a length of ${length} bytes`);
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
