import { WireError } from './wire-bytes.ts';

/** Longest record: what is longer is sent in pieces. */
const LARGEST_RECORD_BYTES = 1024 * 1024;
const HEADER_BYTES = 5;

/** How a terminal that somebody sat before came to its end. */
export interface AttachmentEnd {
  readonly kind: 'detached' | 'exited' | 'failed';
  /** Of its shell, where that is known. */
  readonly exitCode?: number | undefined;
  /** Why, for `failed`. */
  readonly message?: string | undefined;
}

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
export function toRecord(record: AttachRecord): Buffer {
  switch (record.type) {
    case 'bytes': {
      const pieces: Buffer[] = [];
      for (let at = 0; at < record.bytes.length; at += LARGEST_RECORD_BYTES)
        pieces.push(framed(LETTERS.bytes, record.bytes.subarray(at, at + LARGEST_RECORD_BYTES)));
      return Buffer.concat(pieces);
    }
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
  private held: Buffer = Buffer.alloc(0);

  /** The records that are whole now. @throws WireError; the reader is of no use afterwards */
  push(piece: Buffer): AttachRecord[] {
    const bytes = this.held.length === 0 ? piece : Buffer.concat([this.held, piece]);
    const records: AttachRecord[] = [];
    let start = 0;
    while (bytes.length - start >= HEADER_BYTES) {
      const length = bytes.readUInt32BE(start + 1);
      if (length > LARGEST_RECORD_BYTES) throw new WireError(`a record claims to have ${length} bytes`);
      const end = start + HEADER_BYTES + length;
      if (end > bytes.length) break;
      records.push(parse(bytes[start] ?? 0, bytes.subarray(start + HEADER_BYTES, end)));
      start = end;
    }
    this.held = bytes.subarray(start);
    return records;
  }
}

function framed(letter: number, content: Uint8Array): Buffer {
  const record = Buffer.allocUnsafe(HEADER_BYTES + content.length);
  record.writeUInt8(letter, 0);
  record.writeUInt32BE(content.length, 1);
  record.set(content, HEADER_BYTES);
  return record;
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
      return { type: 'end', ...parseEnd(content.toString('utf8')) };
    default:
      throw new WireError('a record is of no type that is known');
  }
}

function parseEnd(text: string): AttachmentEnd {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new WireError('an end is not JSON');
  }
  const read = (key: string): unknown =>
    typeof value === 'object' && value !== null
      ? Object.entries(value).find(([name]) => name === key)?.[1]
      : undefined;
  const [kind, exitCode, message] = [read('kind'), read('exitCode'), read('message')];
  if (kind !== 'detached' && kind !== 'exited' && kind !== 'failed')
    throw new WireError('an end is of no kind that is known');
  return {
    kind,
    exitCode: typeof exitCode === 'number' && Number.isSafeInteger(exitCode) ? exitCode : undefined,
    message: typeof message === 'string' ? message : undefined,
  };
}

function cells(count: number): number {
  return Math.min(65_535, Math.max(0, Math.trunc(count) || 0));
}
