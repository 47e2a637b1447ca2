import type { NamedKey } from '../../../../../../model/text/key-combination.ts';

/** Codes of the kernel for the keys of a usual keyboard (linux/input-event-codes.h). A named key that is missing gets a code of its own. */
export const NAMED_CODES: Readonly<Partial<Record<NamedKey, number>>> = {
  Escape: 1,
  Backspace: 14,
  Tab: 15,
  Enter: 28,
  Control: 29,
  Shift: 42,
  Alt: 56,
  CapsLock: 58,
  F1: 59,
  F2: 60,
  F3: 61,
  F4: 62,
  F5: 63,
  F6: 64,
  F7: 65,
  F8: 66,
  F9: 67,
  F10: 68,
  NumLock: 69,
  ScrollLock: 70,
  F11: 87,
  F12: 88,
  PrintScreen: 99,
  AltGraph: 100,
  Home: 102,
  ArrowUp: 103,
  PageUp: 104,
  ArrowLeft: 105,
  ArrowRight: 106,
  End: 107,
  ArrowDown: 108,
  PageDown: 109,
  Insert: 110,
  Delete: 111,
  AudioVolumeMute: 113,
  AudioVolumeDown: 114,
  AudioVolumeUp: 115,
  Pause: 119,
  Meta: 125,
  ContextMenu: 127,
  BrowserBack: 158,
  BrowserForward: 159,
  MediaTrackNext: 163,
  MediaPlayPause: 164,
  MediaTrackPrevious: 165,
  MediaStop: 166,
};

/** The rows of a US keyboard, each from its first code on. */
const ROWS: readonly (readonly [first: number, characters: string])[] = [
  [2, '1234567890-='],
  [16, 'qwertyuiop[]'],
  [30, "asdfghjkl;'`"],
  [43, '\\zxcvbnm,./'],
  [57, ' '],
];

/** Characters that a US keyboard gives without a modifier. */
export const CHARACTER_CODES: ReadonlyMap<string, number> = new Map(
  ROWS.flatMap(([first, characters]) =>
    Array.from(characters, (character, index): [string, number] => [character, first + index]),
  ),
);

/** Bits of the modifiers in the keymap; those that lock change with each press. */
export const MODIFIERS: Readonly<
  Partial<Record<NamedKey, { readonly mask: number; readonly locks?: true }>>
> = {
  Shift: { mask: 1 },
  CapsLock: { mask: 2, locks: true },
  Control: { mask: 4 },
  Alt: { mask: 8 },
  NumLock: { mask: 16, locks: true },
  Meta: { mask: 64 },
  AltGraph: { mask: 128 },
};
