const SLOTS = 4096;

// For checking four bytes at a time: a byte of `word | (word - 0x01010101)` has its high bit set if that byte of
// `word` is not ASCII or is zero (or follows such a byte, which does not change the result).
const ONES = 0x01010101;
const HIGH_BITS = 0x80808080;

/** Whether all bytes are ASCII and none is zero. */
export function isPlainAscii(view: DataView, start: number, length: number): boolean {
  const end = start + length;
  let seen = 0;
  let at = start;
  for (; at + 4 <= end; at += 4) {
    const word = view.getInt32(at, true);
    seen |= word | (word - ONES);
  }
  for (; at < end; at++) {
    const byte = view.getUint8(at);
    seen |= byte | (byte - 1);
  }
  return (seen & HIGH_BITS) === 0;
}

/**
 * Turns short plain ASCII into strings without allocating when the same bytes came before: bus names, signatures and
 * short names repeat in nearly every message. For longer text, hashing and comparing cost more than a new string.
 */
export class StringCache {
  static readonly LONGEST = 16;
  readonly #slots: string[] = Array.from({ length: SLOTS }, () => '');
  readonly #accepts: (text: string) => boolean;

  /** Only strings that `accepts` approves enter the cache. */
  constructor(accepts: (text: string) => boolean = () => true) {
    this.#accepts = accepts;
  }

  /** The string; `undefined` if there are no bytes or too many, or they are not plain ASCII or not accepted. */
  read(bytes: Buffer, view: DataView, start: number, length: number): string | undefined {
    if (length > StringCache.LONGEST || length === 0) return undefined;
    let hash = length;
    for (let at = start; at < start + length; at++) hash = (Math.imul(hash, 31) + view.getUint8(at)) | 0;
    const slot = (hash ^ (hash >>> 15)) & (SLOTS - 1);
    const known = this.#slots[slot] ?? '';
    if (known.length === length && isSame(known, view, start)) return known;
    if (!isPlainAscii(view, start, length)) return undefined;
    const text = bytes.toString('latin1', start, start + length);
    if (!this.#accepts(text)) return undefined;
    this.#slots[slot] = text;
    return text;
  }
}

function isSame(text: string, view: DataView, start: number): boolean {
  for (let at = 0; at < text.length; at++) {
    if (text.charCodeAt(at) !== view.getUint8(start + at)) return false;
  }
  return true;
}
