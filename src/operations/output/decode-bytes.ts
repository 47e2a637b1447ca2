import { isUtf8 } from 'node:buffer';

/** Decodes UTF-8; invalid bytes are shown as `\xFF`. */
export function decodeVisibly(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString('utf8');
  let text = '';
  let good = 0;
  for (let index = 0; index < bytes.length;) {
    const length = characterLength(bytes, index);
    if (length > 0) {
      index += length;
      continue;
    }
    text += bytes.toString('utf8', good, index) + hexadecimal(bytes[index] ?? 0);
    index += 1;
    good = index;
  }
  return text + bytes.toString('utf8', good);
}

/** The number of bytes at the end, 0 to 3, that may be the start of an incomplete character. */
export function unfinishedBytes(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const first = bytes[bytes.length - back] ?? 0;
    if ((first & 0xc0) === 0x80) continue;
    return expectedLength(first) > back ? back : 0;
  }
  return 0;
}

/** Length of the character that starts here; 0 if there is none. */
function characterLength(bytes: Buffer, index: number): number {
  const first = bytes[index] ?? 0;
  const length = expectedLength(first);
  if (length < 2) return length;
  // Excludes overlong forms, surrogates, and values beyond the last code point.
  const second = bytes[index + 1] ?? 0;
  const least = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
  const most = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
  if (second < least || second > most) return 0;
  for (let offset = 2; offset < length; offset += 1)
    if (((bytes[index + offset] ?? 0) & 0xc0) !== 0x80) return 0;
  return length;
}

function expectedLength(first: number): number {
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first <= 0xdf) return 2;
  if (first >= 0xe0 && first <= 0xef) return 3;
  return first >= 0xf0 && first <= 0xf4 ? 4 : 0;
}

function hexadecimal(byte: number): string {
  return String.raw`\x${byte.toString(16).toUpperCase().padStart(2, '0')}`;
}

const NEWLINE = 10;

/** A plain loop, as fast for very short lines as for long ones. */
export function countNewlines(bytes: Uint8Array): number {
  let count = 0;
  for (let index = 0; index < bytes.length; index += 1) if (bytes[index] === NEWLINE) count += 1;
  return count;
}
