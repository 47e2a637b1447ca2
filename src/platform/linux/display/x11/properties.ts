import type { AtomName } from './atoms.ts';
import type { X11Wire } from './wire.ts';
import type { PropertyReply } from './x11-requests.ts';

const ANY_TYPE = 0;
/** Mode of ChangeProperty. */
export const REPLACE = 0;
/** In four-byte units: 4 MiB, more than any window list or title. */
const MAX_LENGTH = 1 << 20;

/** A property of a window; `undefined` if it is not set or the window is gone. */
export async function readProperty(
  wire: X11Wire,
  window: number,
  name: AtomName,
): Promise<PropertyReply | undefined> {
  return readPropertyOf(wire, window, wire.atom(name));
}

/** {@link readProperty} by atom number. */
export async function readPropertyOf(
  wire: X11Wire,
  window: number,
  atom: number,
): Promise<PropertyReply | undefined> {
  const reply = await wire.tryCall('GetProperty', 0, window, atom, ANY_TYPE, 0, MAX_LENGTH);
  return reply === undefined || reply.type === 0 ? undefined : reply;
}

/** The first number of a property; `undefined` if it is missing or has another format. */
export async function readNumber(wire: X11Wire, window: number, name: AtomName): Promise<number | undefined> {
  return numbersOf(await readProperty(wire, window, name))[0];
}

/** The 32-bit numbers of a property; empty if it is missing or has another format. */
export function numbersOf(property: PropertyReply | undefined): number[] {
  if (property === undefined || property.format !== 32) return [];
  const numbers: number[] = [];
  for (let at = 0; at + 4 <= property.data.length; at += 4) numbers.push(property.data.readUInt32LE(at));
  return numbers;
}

/** Numbers in the format of a property with 32 bits. */
export function words(numbers: readonly number[]): Buffer {
  const data = Buffer.alloc(numbers.length * 4);
  for (const [index, number] of numbers.entries()) data.writeUInt32LE(number >>> 0, index * 4);
  return data;
}

/** The text of a property according to its type: UTF8_STRING, STRING (Latin-1) or COMPOUND_TEXT. */
export function textOf(wire: X11Wire, property: PropertyReply | undefined): string | undefined {
  if (property === undefined || property.format !== 8) return undefined;
  const text = decodeText(wire, property);
  return text.replace(/\0+$/, '');
}

function decodeText(wire: X11Wire, property: PropertyReply): string {
  if (property.type === wire.atom('UTF8_STRING')) return property.data.toString('utf8');
  if (property.type === wire.atom('COMPOUND_TEXT')) return decodeCompoundText(property.data);
  return property.data.toString('latin1');
}

const ESCAPE = 0x1b;

/**
 * Compound text as sent by current clients: Latin-1 with switches to UTF-8 (`ESC % G` … `ESC % @`). Switches to other
 * character sets are ignored and their text is read as Latin-1; such clients also set _NET_WM_NAME.
 */
export function decodeCompoundText(bytes: Buffer): string {
  let text = '';
  let at = 0;
  let encoding: 'latin1' | 'utf8' = 'latin1';
  while (at < bytes.length) {
    let end = bytes.indexOf(ESCAPE, at);
    if (end < 0) end = bytes.length;
    text += bytes.toString(encoding, at, end);
    if (end === bytes.length) break;
    const isUtf8Start = bytes[end + 1] === 0x25 && bytes[end + 2] === 0x47;
    encoding = isUtf8Start ? 'utf8' : 'latin1';
    at = end + 1;
    // An escape sequence is ESC, bytes 0x20-0x2f, then one final byte.
    while (at < bytes.length && isIntermediate(bytes[at])) at += 1;
    at += 1;
  }
  return text;
}

function isIntermediate(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x20 && byte <= 0x2f;
}
