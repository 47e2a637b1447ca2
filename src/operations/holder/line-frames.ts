import { isUtf8 } from 'node:buffer';

/** Largest frame either side takes: arguments and environment as large as the kernel takes them, in the worst escaping, with room. */
const LARGEST_FRAME_BYTES = 32 * 1024 * 1024;
const NEWLINE = 10;

/** Bytes that are no frame of this protocol. Texts of these are constant: frames hold environments. */
export class FrameError extends Error {
  override readonly name = 'FrameError';
}

/** A frame as it came: nothing is known of it but that it is an object. */
export type Parsed = Readonly<Record<string, unknown>>;

/** One frame: a line of JSON. @throws FrameError when it would be larger than the other side takes */
export function toLine(frame: object): Buffer {
  const bytes = Buffer.from(`${JSON.stringify(frame)}\n`);
  if (bytes.length > LARGEST_FRAME_BYTES) throw new FrameError('a frame is too large');
  return bytes;
}

/** Puts frames together from the pieces a socket delivers. */
export class LineReader {
  private held: Buffer[] = [];
  private heldBytes = 0;
  private readonly mostBytes: number;

  constructor(mostBytes = LARGEST_FRAME_BYTES) {
    this.mostBytes = mostBytes;
  }

  /** The frames that are whole now. @throws FrameError; the reader is of no use afterwards */
  push(piece: Buffer): Parsed[] {
    const frames: Parsed[] = [];
    let start = 0;
    for (let end = piece.indexOf(NEWLINE); end !== -1; end = piece.indexOf(NEWLINE, start)) {
      this.hold(piece.subarray(start, end));
      frames.push(parsed(Buffer.concat(this.held)));
      this.held = [];
      this.heldBytes = 0;
      start = end + 1;
    }
    this.hold(piece.subarray(start));
    return frames;
  }

  private hold(bytes: Buffer): void {
    if (bytes.length === 0) return;
    this.heldBytes += bytes.length;
    if (this.heldBytes > this.mostBytes) throw new FrameError('a frame is too large');
    this.held.push(bytes);
  }
}

function parsed(bytes: Buffer): Parsed {
  if (!isUtf8(bytes)) throw new FrameError('a frame is not UTF-8');
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8'));
  } catch {
    throw new FrameError('a frame is not JSON');
  }
  if (isRecord(value)) return value;
  throw new FrameError('a frame is not an object');
}

export function isRecord(value: unknown): value is Parsed {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
