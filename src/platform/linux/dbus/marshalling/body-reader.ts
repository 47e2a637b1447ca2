import { isUtf8 } from 'node:buffer';
import { protocolError } from '../bus-error.ts';
import { MAX_ARRAY, MAX_ELEMENTS } from '../limits.ts';
import { isObjectPath } from '../names.ts';
import { parseSignature } from './signature.ts';
import { isPlainAscii, StringCache } from './string-cache.ts';

const REPLACEMENT = '\uFFFD';
// In bytes. Text up to this length is checked for plain ASCII here; longer text goes to the UTF-8 decoder.
const SHORT = 256;
const texts = new StringCache();
const paths = new StringCache(isObjectPath);
const signatures = new StringCache((text) => parseSignature(text) !== undefined);

/** A view of the bytes of a Buffer, for {@link BodyReader}; make one per buffer, not one per message. */
export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/**
 * Reads one message body, value by value. Every read aligns first, checks padding and bounds, and throws a BusError
 * `local.Protocol` on a violation. Valid only inside the decoder it was passed to: the bytes belong to the socket and
 * are overwritten by its next read.
 */
export class BodyReader {
  /** Contains the body; {@link start}, {@link offset} and {@link end} are positions in it. */
  readonly buffer: Buffer;
  readonly littleEndian: boolean;
  /** Where the body begins; alignment is relative to it. */
  readonly start: number;
  /** The next byte to be read. */
  offset: number;
  /** One past the last byte of the body. */
  readonly end: number;
  /** Containers around the current value that a compiled decoder cannot count, because a variant opened them. */
  depth = 0;
  #elements = MAX_ELEMENTS;
  readonly #view: DataView;

  constructor(buffer: Buffer, littleEndian: boolean, start = 0, end = buffer.length, view = viewOf(buffer)) {
    this.buffer = buffer;
    this.littleEndian = littleEndian;
    this.start = start;
    this.offset = start;
    this.end = end;
    this.#view = view;
  }

  /** Skips zero bytes up to a multiple of `alignment` (1, 2, 4 or 8) from the start of the body. */
  align(alignment: number): void {
    const padding = (this.start - this.offset) & (alignment - 1);
    if (padding !== 0) this.#skipPadding(padding);
  }

  #skipPadding(length: number): void {
    const to = this.offset + length;
    if (to > this.end) throw protocolError('the body ends inside padding');
    for (let at = this.offset; at < to; at++) {
      if (this.#view.getUint8(at) !== 0) throw protocolError('padding is not zero');
    }
    this.offset = to;
  }

  /** Skips `length` bytes and returns their position. */
  #take(length: number): number {
    const at = this.offset;
    if (length > this.end - at) throw protocolError('the body ends inside a value');
    this.offset = at + length;
    return at;
  }

  /** Type `y`. */
  readByte(): number {
    return this.#view.getUint8(this.#take(1));
  }

  /** Type `b`. */
  readBoolean(): boolean {
    const value = this.readUint32();
    if (value > 1) throw protocolError(`boolean with the value ${value}`);
    return value === 1;
  }

  /** Type `n`. */
  readInt16(): number {
    this.align(2);
    return this.#view.getInt16(this.#take(2), this.littleEndian);
  }

  /** Type `q`. */
  readUint16(): number {
    this.align(2);
    return this.#view.getUint16(this.#take(2), this.littleEndian);
  }

  /** Type `i`. */
  readInt32(): number {
    this.align(4);
    return this.#view.getInt32(this.#take(4), this.littleEndian);
  }

  /** Type `u`, and the index in a type `h`. */
  readUint32(): number {
    this.align(4);
    return this.#view.getUint32(this.#take(4), this.littleEndian);
  }

  /** Type `x`. */
  readBigInt64(): bigint {
    this.align(8);
    return this.#view.getBigInt64(this.#take(8), this.littleEndian);
  }

  /** Type `t`. */
  readBigUint64(): bigint {
    this.align(8);
    return this.#view.getBigUint64(this.#take(8), this.littleEndian);
  }

  /** Type `d`. */
  readDouble(): number {
    this.align(8);
    return this.#view.getFloat64(this.#take(8), this.littleEndian);
  }

  /** Type `s`; also reads an `o` where its syntax does not matter. */
  readString(): string {
    const length = this.readUint32();
    const at = this.#takeText(length);
    return texts.read(this.buffer, this.#view, at, length) ?? this.#decode(at, length);
  }

  /** Type `o`. */
  readObjectPath(): string {
    const length = this.readUint32();
    const at = this.#takeText(length);
    const known = paths.read(this.buffer, this.#view, at, length);
    if (known !== undefined) return known;
    const path = this.#decode(at, length);
    if (!isObjectPath(path)) throw protocolError('not an object path');
    return path;
  }

  /** Type `g`; its grammar is checked. */
  readSignature(): string {
    const length = this.readByte();
    const at = this.#takeText(length);
    const known = signatures.read(this.buffer, this.#view, at, length);
    if (known !== undefined) return known;
    const signature = this.buffer.toString('latin1', at, at + length);
    parseSignature(signature);
    return signature;
  }

  /** Skips an `s` or `o` without decoding it. */
  skipString(): void {
    this.#takeText(this.readUint32());
  }

  /**
   * Begins an array and returns the position of its end: read elements while `offset < end`, then call
   * {@link endArray}. `alignment` is that of the element type (8 for structs and dict entries).
   */
  beginArray(alignment: number): number {
    const length = this.readUint32();
    if (length > MAX_ARRAY) throw protocolError(`array of ${length} bytes`);
    this.align(alignment);
    if (length > this.end - this.offset) throw protocolError('the body ends inside an array');
    return this.offset + length;
  }

  /** Checks that the elements of an array ended at its length. */
  endArray(end: number): void {
    if (this.offset !== end) throw protocolError('an array element crosses the end of its array');
  }

  /** The next `length` bytes; a view, not a copy. */
  readRaw(length: number): Buffer {
    const at = this.#take(length);
    return this.buffer.subarray(at, at + length);
  }

  /** Counts decoded array elements against the limit per body. */
  countElements(count: number): void {
    this.#elements -= count;
    if (this.#elements < 0) throw protocolError(`more than ${MAX_ELEMENTS} array elements in one body`);
  }

  #takeText(length: number): number {
    const at = this.#take(length + 1);
    if (this.#view.getUint8(at + length) !== 0) throw protocolError('a string does not end with a NUL');
    return at;
  }

  #decode(at: number, length: number): string {
    if (length <= SHORT && isPlainAscii(this.#view, at, length)) {
      return this.buffer.toString('latin1', at, at + length);
    }
    const text = this.buffer.toString('utf8', at, at + length);
    if (text.includes('\0')) throw protocolError('a string contains a NUL');
    // The decoder replaces invalid UTF-8 with this character, but the text itself may also contain it.
    if (text.includes(REPLACEMENT) && !isUtf8(this.buffer.subarray(at, at + length))) {
      throw protocolError('a string is not UTF-8');
    }
    return text;
  }
}
