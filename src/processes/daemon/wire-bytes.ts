import buffer from 'node:buffer';
import type { ClientFrame, ServerFrame } from './wire.ts';

/** Largest frame either side takes: text of 1 MiB in the worst escaping, with room. */
export const LARGEST_FRAME_BYTES = 32 * 1024 * 1024;

/** Bytes that say how long a frame is, big-endian. */
const HEADER_BYTES = 4;

/** Bytes that are no frame of this protocol. */
export class WireError extends Error {
  override readonly name = 'WireError';
}

/** One frame with its header. @throws WireError when it would be larger than the other side takes */
export function toFrame(message: ClientFrame | ServerFrame): Buffer {
  const text = JSON.stringify(message);
  const length = Buffer.byteLength(text);
  if (length > LARGEST_FRAME_BYTES)
    throw new WireError(`a message of ${length} bytes is larger than ${LARGEST_FRAME_BYTES}`);
  const frame = Buffer.allocUnsafe(HEADER_BYTES + length);
  frame.writeUInt32BE(length, 0);
  frame.write(text, HEADER_BYTES);
  return frame;
}

/** A frame as it came: nothing is known of it but that it is an object. */
export type Parsed = Readonly<Record<string, unknown>>;

/** Puts frames together from the pieces a socket delivers. It keeps at most one frame that is not whole. */
export class FrameReader {
  /** Bytes of the frame that is not whole, with room for more; grows by doubling, so that many small pieces cost no more than few large ones. */
  private held = Buffer.alloc(0);
  private have = 0;

  /** Whether a frame has begun and not ended. */
  get isPartial(): boolean {
    return this.have > 0;
  }

  /** The frames that are whole now. @throws WireError; the reader is of no use afterwards */
  push(piece: Buffer): Parsed[] {
    if (this.have > 0) this.keep(piece);
    const bytes = this.have > 0 ? this.held.subarray(0, this.have) : piece;
    const frames: Parsed[] = [];
    let start = 0;
    while (bytes.length - start >= HEADER_BYTES) {
      const length = bytes.readUInt32BE(start);
      if (length > LARGEST_FRAME_BYTES) throw new WireError(`a frame claims to have ${length} bytes`);
      const end = start + HEADER_BYTES + length;
      if (end > bytes.length) break;
      frames.push(parseBody(bytes.subarray(start + HEADER_BYTES, end)));
      start = end;
    }
    if (start === 0 && this.have > 0) return frames;
    this.held = Buffer.alloc(0);
    this.have = 0;
    if (start < bytes.length) this.keep(bytes.subarray(start));
    return frames;
  }

  private keep(piece: Buffer): void {
    const wanted = this.have + piece.length;
    if (wanted > this.held.length) {
      const larger = Buffer.allocUnsafe(Math.max(wanted, 2 * this.held.length));
      this.held.copy(larger, 0, 0, this.have);
      this.held = larger;
    }
    piece.copy(this.held, this.have);
    this.have = wanted;
  }
}

function parseBody(bytes: Buffer): Parsed {
  if (!buffer.isUtf8(bytes)) throw new WireError('a frame is not UTF-8');
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8'));
  } catch {
    throw new WireError('a frame is not JSON');
  }
  if (isRecord(value)) return value;
  throw new WireError('a frame is not an object');
}

export function isRecord(value: unknown): value is Parsed {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
