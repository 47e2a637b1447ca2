import buffer from 'node:buffer';
import { WireError } from './schema.ts';
import type { Schema } from './schema.ts';

/** Largest frame either side takes: text of 1 MiB, or arguments and environment as large as systems take them, in the worst escaping, with room. */
export const LARGEST_FRAME_BYTES = 32 * 1024 * 1024;

/** Room for what a piece is likely to be the beginning of. */
const LEAST_ROOM_BYTES = 4096;
const NEWLINE = 0x0a;
const BRACE = 0x7b;

/** One frame: a line of JSON. @throws WireError when it would be larger than the other side takes */
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

/** Puts frames together from the pieces a socket delivers. It keeps at most one frame that is not whole. */
export class FrameReader<T> {
  private readonly schema: Schema<T>;
  private readonly held = new HeldBytes();
  /** A frame with more is refused; may be raised when it is known who sends. */
  mostBytes: number;

  constructor(schema: Schema<T>, mostBytes = LARGEST_FRAME_BYTES) {
    this.schema = schema;
    this.mostBytes = mostBytes;
  }

  /** Whether a frame has begun and not ended. */
  get isPartial(): boolean {
    return this.held.length > 0;
  }

  /** The frames that are whole now. @throws WireError; the reader is of no use afterwards */
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

  /** Of a frame, or its beginning: what can never become one is not waited for. */
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

/** The beginning of something that is not whole. Its room grows by doubling, so that many small pieces cost no more than few large ones. */
export class HeldBytes {
  private room = NOTHING;
  length = 0;

  /** All bytes there are; a piece that nothing came before is not copied. */
  join(piece: Buffer): Buffer {
    if (this.length === 0) return piece;
    this.append(piece);
    return this.room.subarray(0, this.length);
  }

  /** Holds what {@link join} gave from here on; what is before it may be used by others for as long as they like. */
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
