import type { NamedKey } from '../../../../model/text/key-combination.ts';

export const SHIFT = 0xffe1;
export const LEVEL_3_SHIFT = 0xfe03;
export const NUM_LOCK = 0xff7f;

/** X keysyms of the named keys; of several with the same name, the usual one first. */
export const NAMED_KEYSYMS: Readonly<Record<NamedKey, readonly [number, ...number[]]>> = {
  Enter: [0xff0d],
  Tab: [0xff09],
  Escape: [0xff1b],
  Backspace: [0xff08],
  Delete: [0xffff],
  Insert: [0xff63],
  Home: [0xff50],
  End: [0xff57],
  PageUp: [0xff55],
  PageDown: [0xff56],
  ArrowUp: [0xff52],
  ArrowDown: [0xff54],
  ArrowLeft: [0xff51],
  ArrowRight: [0xff53],
  ContextMenu: [0xff67],
  CapsLock: [0xffe5],
  NumLock: [NUM_LOCK],
  ScrollLock: [0xff14],
  PrintScreen: [0xff61],
  Pause: [0xff13],
  F1: [0xffbe],
  F2: [0xffbf],
  F3: [0xffc0],
  F4: [0xffc1],
  F5: [0xffc2],
  F6: [0xffc3],
  F7: [0xffc4],
  F8: [0xffc5],
  F9: [0xffc6],
  F10: [0xffc7],
  F11: [0xffc8],
  F12: [0xffc9],
  F13: [0xffca],
  F14: [0xffcb],
  F15: [0xffcc],
  F16: [0xffcd],
  F17: [0xffce],
  F18: [0xffcf],
  F19: [0xffd0],
  F20: [0xffd1],
  F21: [0xffd2],
  F22: [0xffd3],
  F23: [0xffd4],
  F24: [0xffd5],
  Control: [0xffe3, 0xffe4],
  Shift: [SHIFT, 0xffe2],
  Alt: [0xffe9, 0xffea],
  AltGraph: [LEVEL_3_SHIFT],
  Meta: [0xffeb, 0xffec],
  AudioVolumeUp: [0x1008_ff13],
  AudioVolumeDown: [0x1008_ff11],
  AudioVolumeMute: [0x1008_ff12],
  MediaPlayPause: [0x1008_ff14],
  MediaStop: [0x1008_ff15],
  MediaTrackNext: [0x1008_ff17],
  MediaTrackPrevious: [0x1008_ff16],
  BrowserBack: [0x1008_ff26],
  BrowserForward: [0x1008_ff27],
};

const UNICODE = 0x0100_0000;

/** The keysym that every toolkit maps to a character. Line feed and tab are separate keys. */
export function keysymForCharacter(character: string): number {
  if (character === '\n') return NAMED_KEYSYMS.Enter[0];
  if (character === '\t') return NAMED_KEYSYMS.Tab[0];
  const codePoint = character.codePointAt(0) ?? 0;
  return codePoint <= 0xff ? codePoint : UNICODE + codePoint;
}

/** The keysyms of a key without and with Shift: lower and upper case for a letter with both, otherwise just the keysym. */
export function keysymsOnOneKey(keysym: number): readonly number[] {
  if (keysym > 0xff && keysym < UNICODE) return [keysym];
  const character = String.fromCodePoint(keysym >= UNICODE ? keysym - UNICODE : keysym);
  const small = character.toLowerCase();
  const capital = small.toUpperCase();
  const isPair = small !== capital && Array.from(small).length === 1 && Array.from(capital).length === 1;
  return isPair && (character === small || character === capital)
    ? [keysymForCharacter(small), keysymForCharacter(capital)]
    : [keysym];
}

/** In older blocks of keysyms the low byte is a character of one of these sets. Only letters and digits match completely. */
const BLOCKS = new Map(
  Object.entries({
    0x01: 'iso-8859-2',
    0x02: 'iso-8859-3',
    0x03: 'iso-8859-4',
    0x05: 'iso-8859-6',
    0x06: 'koi8-u',
    0x0c: 'iso-8859-8',
    0x0d: 'windows-874',
    0x13: 'iso-8859-15',
  }).map(([block, encoding]) => [Number(block), new TextDecoder(encoding)]),
);

const GREEK_CAPITALS = 'ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣ\0ΤΥΦΧΨΩ';
const GREEK_SMALL = 'αβγδεζηθικλμνξοπρσςτυφχψω';
const GREEK_ACCENTED = 'ΆΈΉΊΪ\0ΌΎΫ\0Ώ\0\0΅―\0άέήίϊΐόύϋΰώ';

/** Punctuation for which keyboard layouts use older keysyms. */
const PUNCTUATION: Readonly<Record<number, string>> = {
  0x0aa9: '—',
  0x0aaa: '–',
  0x0aae: '…',
  0x0ac9: '™',
  0x0ad0: '‘',
  0x0ad1: '’',
  0x0ad2: '“',
  0x0ad3: '”',
  0x0af1: '†',
  0x0af2: '‡',
  0x0afd: '‚',
  0x0afe: '„',
  0x06b0: '№',
};

/**
 * The keysym under which layouts are searched for a character: an older keysym of a letter becomes its Unicode keysym.
 * Others stay unchanged, and their characters are typed with borrowed keys.
 */
export function canonicalKeysym(keysym: number): number {
  if (keysym <= 0xff || keysym >= UNICODE) return keysym;
  // Currency signs have their Unicode code points.
  if (keysym >= 0x20a0 && keysym <= 0x20ac) return UNICODE + keysym;
  const character = PUNCTUATION[keysym] ?? letterOf(keysym >> 8, keysym & 0xff);
  return character === undefined ? keysym : keysymForCharacter(character);
}

function letterOf(block: number, low: number): string | undefined {
  const character =
    block === 0x07
      ? greekLetter(low)
      : low < 0xa0
        ? undefined
        : BLOCKS.get(block)?.decode(Uint8Array.of(low));
  return character !== undefined && /^[\p{L}\p{M}\p{Nd}]$/u.test(character) ? character : undefined;
}

function greekLetter(low: number): string | undefined {
  if (low >= 0xe1) return GREEK_SMALL[low - 0xe1];
  if (low >= 0xc1) return GREEK_CAPITALS[low - 0xc1];
  return GREEK_ACCENTED[low - 0xa1];
}
