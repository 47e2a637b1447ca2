const SLOTS = 4096;

/**
 * Turns short ASCII bytes into strings without allocating when the same bytes came before: interface names, bus
 * names and object paths repeat in nearly every message.
 */
export class StringCache {
  /** Longer strings are not worth the hashing, in bytes. */
  static readonly LONGEST = 64;
  readonly #slots: string[] = Array.from({ length: SLOTS }, () => '');
  readonly #accepts: (text: string) => boolean;

  /** `accepts` is asked once per string that enters the cache. */
  constructor(accepts: (text: string) => boolean = () => true) {
    this.#accepts = accepts;
  }

  /** The string, or `undefined` where the bytes are empty, too long, not ASCII, hold a NUL or are not accepted. */
  read(bytes: Buffer, start: number, length: number): string | undefined {
    if (length > StringCache.LONGEST) return undefined;
    const end = start + length;
    let hash = length;
    for (let at = start; at < end; at++) {
      const code = bytes[at] ?? 0;
      if (code === 0 || code > 127) return undefined;
      hash = (Math.imul(hash, 31) + code) | 0;
    }
    const slot = (hash ^ (hash >>> 15)) & (SLOTS - 1);
    const known = this.#slots[slot] ?? '';
    if (known.length === length && length > 0 && sameText(known, bytes, start)) return known;
    const text = bytes.toString('latin1', start, end);
    if (length === 0 || !this.#accepts(text)) return undefined;
    this.#slots[slot] = text;
    return text;
  }
}

function sameText(text: string, bytes: Buffer, start: number): boolean {
  for (let at = 0; at < text.length; at++) {
    if (text.charCodeAt(at) !== bytes[start + at]) return false;
  }
  return true;
}
