import { viewOf } from './marshalling/body-reader.ts';
import { FIXED_HEADER, Frame } from './frame.ts';

// A larger buffer, grown for one huge message, is not kept for the next.
const KEEP = 1024 * 1024;

/**
 * Splits a byte stream into messages. A message that lies whole in a chunk is passed on in place; only one that
 * continues in the next chunk is copied, into a buffer that doubles. So a false length costs no memory before its
 * bytes arrive, and a huge message costs at most twice its size.
 */
export class FrameReader {
  readonly #frame = new Frame();
  readonly #onFrame: (frame: Frame) => void;
  #held = Buffer.alloc(4096);
  #heldLength = 0;
  /** Total bytes of the held message, as far as known. */
  #needed = FIXED_HEADER;
  #stopped = false;

  /** `onFrame` may throw; the stream is then unusable. */
  constructor(onFrame: (frame: Frame) => void) {
    this.#onFrame = onFrame;
  }

  /** No frame is passed on after this, not even from the chunk being read. */
  stop(): void {
    this.#stopped = true;
  }

  /** Takes the first `length` bytes of a chunk; throws BusError `local.Protocol`. */
  push(chunk: Buffer, view: DataView, length: number): void {
    let at = 0;
    while (at < length && !this.#stopped) {
      if (this.#heldLength > 0) at += this.#complete(chunk, at, length);
      else at += this.#next(chunk, view, at, length);
    }
  }

  #next(chunk: Buffer, view: DataView, at: number, to: number): number {
    const available = to - at;
    if (available < FIXED_HEADER) return this.#hold(chunk, at, available, FIXED_HEADER);
    const length = this.#frame.locate(chunk, view, at);
    if (available < length) return this.#hold(chunk, at, available, length);
    this.#onFrame(this.#frame);
    return length;
  }

  #complete(chunk: Buffer, at: number, to: number): number {
    const taken = this.#hold(chunk, at, Math.min(to - at, this.#needed - this.#heldLength), this.#needed);
    if (this.#heldLength < this.#needed) return taken;
    const length = this.#frame.locate(this.#held, viewOf(this.#held), 0);
    if (this.#heldLength < length) {
      this.#needed = length;
      return taken;
    }
    this.#heldLength = 0;
    this.#onFrame(this.#frame);
    if (this.#held.length > KEEP) this.#held = Buffer.alloc(4096);
    return taken;
  }

  #hold(chunk: Buffer, at: number, length: number, needed: number): number {
    const total = this.#heldLength + length;
    if (total > this.#held.length) {
      const grown = Buffer.allocUnsafeSlow(Math.max(total, Math.min(needed, this.#held.length * 2)));
      this.#held.copy(grown, 0, 0, this.#heldLength);
      this.#held = grown;
    }
    chunk.copy(this.#held, this.#heldLength, at, at + length);
    this.#heldLength = total;
    this.#needed = needed;
    return length;
  }
}
