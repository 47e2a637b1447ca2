import buffer from 'node:buffer';
import { WireError, type Schema } from './schema.ts';

/** Largest frame either side accepts: 1 MiB of text, or the largest arguments and environment a system allows, with worst-case escaping and some room. */
export const LARGEST_FRAME_BYTES = 32 * 1024 * 1024;

/** Initial buffer for an incomplete frame. */
const LEAST_ROOM_BYTES = 4096;
const NEWLINE = 0x0a;
const BRACE = 0x7b;

/** One frame: a line of JSON. @throws WireError if it is larger than the other side accepts */
export function toLine(frame: object): Buffer {
  const json = JSON.stringify(frame);
  const length = Buffer.byteLength(json);
  if (length > LARGEST_FRAME_BYTES)
    throw new WireError(`a message of ${length} bytes is larger than ${LARGEST_FRAME_BYTES}`);
  const line = Buffer.allocUnsafe(length + 1);
  line.write(json);
  line[length] = NEWLINE;
  return line;
}

/** Assembles frames from the pieces a socket delivers. Buffers at most one incomplete frame. */
export class FrameReader<T> {
  private readonly schema: Schema<T>;
  private readonly held = new HeldBytes();
  /** Larger frames are refused; may be raised once the sender is authenticated. */
  mostBytes: number;

  constructor(schema: Schema<T>, mostBytes = LARGEST_FRAME_BYTES) {
    this.schema = schema;
    this.mostBytes = mostBytes;
  }

  /** Whether an incomplete frame is buffered. */
  get isPartial(): boolean {
    return this.held.length > 0;
  }

  /** Returns the frames that are complete now. @throws WireError; do not use the reader afterwards */
  push(piece: Buffer): T[] {
    const bytes = this.held.join(piece);
    const frames: T[] = [];
    let start = 0;
    let end = bytes.indexOf(NEWLINE, bytes.length - piece.length);
    for (; end !== -1; end = bytes.indexOf(NEWLINE, start)) {
      const line = bytes.subarray(start, end);
      this.check(line);
      frames.push(this.schema.parse(jsonOf(line)));
      start = end + 1;
    }
    if (start < bytes.length) this.check(bytes.subarray(start));
    this.held.keep(bytes, start);
    return frames;
  }

  /** Checks a frame or its beginning, so that input that can never become a frame is refused at once. */
  private check(line: Buffer): void {
    if (line[0] !== BRACE) throw new WireError('a frame is not a line with a JSON object');
    if (line.length > this.mostBytes) throw new WireError(`a frame has more than ${this.mostBytes} bytes`);
  }
}

/** @throws WireError */
export function jsonOf(bytes: Buffer): unknown {
  if (!buffer.isUtf8(bytes)) throw new WireError('a frame is not UTF-8');
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    throw new WireError('a frame is not JSON');
  }
}

const NOTHING = Buffer.alloc(0);

/** Buffers the beginning of an incomplete frame. Its capacity doubles, so that many small pieces cost no more than few large ones. */
export class HeldBytes {
  private room = NOTHING;
  length = 0;

  /** All bytes so far; without earlier bytes the piece is not copied. */
  join(piece: Buffer): Buffer {
    if (this.length === 0) return piece;
    this.append(piece);
    return this.room.subarray(0, this.length);
  }

  /** Keeps the bytes that {@link join} returned from `start` on. Earlier bytes may be referenced by others and are not reused. */
  keep(bytes: Buffer, start: number): void {
    if (start === 0 && this.length > 0) return;
    this.room = NOTHING;
    this.length = 0;
    if (start < bytes.length) this.append(bytes.subarray(start));
  }

  private append(piece: Buffer): void {
    const wanted = this.length + piece.length;
    if (wanted > this.room.length) {
      const larger = Buffer.allocUnsafe(Math.max(2 * wanted, LEAST_ROOM_BYTES));
      this.room.copy(larger, 0, 0, this.length);
      this.room = larger;
    }
    piece.copy(this.room, this.length);
    this.length = wanted;
  }
}
