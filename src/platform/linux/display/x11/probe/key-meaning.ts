const SHIFT = 1;
const GROUP_SHIFT = 13;
const GROUP_MASK = 3;
const UNICODE = 0x0100_0000;
const LATIN_1_END = 0xff;
const NAMED: Readonly<Record<number, string>> = { 0xffe1: 'Shift', 0xffe2: 'Shift' };

/**
 * The meaning of a key: a character, or the name of a modifier; empty for keys that the probe does not need.
 * @param row the keysyms of the key, two columns per group
 * @param state modifiers and group of the key event
 */
export function keyMeaning(row: readonly number[], state: number): string {
  const isShifted = (state & SHIFT) !== 0;
  const group = (state >> GROUP_SHIFT) & GROUP_MASK;
  const plain = row[group * 2] || row[0] || 0;
  // A key with a single character produces it with Shift, too.
  const keysym = isShifted ? row[group * 2 + 1] || row[1] || plain : plain;
  if (keysym >= UNICODE && keysym <= UNICODE + 0x10_ffff) return String.fromCodePoint(keysym - UNICODE);
  if (keysym >= 0x20 && keysym <= LATIN_1_END) return String.fromCodePoint(keysym);
  return NAMED[keysym] ?? '';
}
