import { protocolError } from '../bus-error.ts';
import { viewOf } from './body-reader.ts';
import { MAX_ARRAY, MAX_MESSAGE } from '../limits.ts';

/** Writes values in D-Bus wire format into a growing buffer. Callers check values; this class checks sizes. */
export class BodyWriter {
  readonly littleEndian: boolean;
  /** Bytes written so far. */
  length = 0;
  /** As in BodyReader: containers around the current value that a variant opened. */
  depth = 0;
  #bytes = Buffer.alloc(128);
  #view = viewOf(this.#bytes);

  constructor(littleEndian = true) {
    this.littleEndian = littleEndian;
  }

  /** A copy of what was written. */
  toBuffer(): Buffer {
    return Buffer.from(this.#bytes.subarray(0, this.length));
  }

  /** Writes zeros up to a multiple of `alignment`. */
  align(alignment: number): void {
    this.#take(-this.length & (alignment - 1));
  }

  // New bytes are always zero, so that padding and NULs need no writing.
  #take(length: number): number {
    const at = this.length;
    const needed = at + length;
    if (needed > this.#bytes.length) this.#grow(needed);
    this.length = needed;
    return at;
  }

  #grow(needed: number): void {
    if (needed > MAX_MESSAGE) throw protocolError(`message of more than ${MAX_MESSAGE} bytes`);
    const grown = Buffer.alloc(Math.max(needed, this.#bytes.length * 2));
    this.#bytes.copy(grown, 0, 0, this.length);
    this.#bytes = grown;
    this.#view = viewOf(grown);
  }

  #aligned(size: number): number {
    this.align(size);
    return this.#take(size);
  }

  byte(value: number): void {
    const at = this.#take(1);
    this.#view.setUint8(at, value);
  }

  int16(value: number): void {
    const at = this.#aligned(2);
    this.#view.setInt16(at, value, this.littleEndian);
  }

  uint32(value: number): void {
    const at = this.#aligned(4);
    this.#view.setUint32(at, value, this.littleEndian);
  }

  bigInt64(value: bigint): void {
    const at = this.#aligned(8);
    this.#view.setBigInt64(at, value, this.littleEndian);
  }

  double(value: number): void {
    const at = this.#aligned(8);
    this.#view.setFloat64(at, value, this.littleEndian);
  }

  /** Type `s` or `o`. */
  string(text: string): void {
    const length = Buffer.byteLength(text);
    this.uint32(length);
    const at = this.#take(length + 1);
    this.#bytes.write(text, at, 'utf8');
  }

  /** Type `g`. */
  signature(text: string): void {
    this.byte(text.length);
    const at = this.#take(text.length + 1);
    this.#bytes.write(text, at, 'latin1');
  }

  raw(bytes: Uint8Array): void {
    const at = this.#take(bytes.length);
    this.#bytes.set(bytes, at);
  }

  /** An array whose content `elements` writes; `alignment` is that of the element type. */
  array(alignment: number, elements: () => void): void {
    const lengthAt = this.#aligned(4);
    this.align(alignment);
    const start = this.length;
    elements();
    const length = this.length - start;
    if (length > MAX_ARRAY) throw protocolError(`array of ${length} bytes`);
    this.#view.setUint32(lengthAt, length, this.littleEndian);
  }
}
