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

/** The rows of a US keyboard, each from its first code on: without and with Shift. */
const ROWS: readonly (readonly [first: number, plain: string, shifted: string])[] = [
  [2, '1234567890-=', '!@#$%^&*()_+'],
  [16, 'qwertyuiop[]', 'QWERTYUIOP{}'],
  [30, "asdfghjkl;'`", 'ASDFGHJKL:"~'],
  [43, '\\zxcvbnm,./', '|ZXCVBNM<>?'],
  [57, ' ', ''],
];

export interface CharacterKey {
  readonly code: number;
  readonly isShifted: boolean;
}

/** Characters that a US keyboard gives, if need be with Shift. */
export const CHARACTER_KEYS: ReadonlyMap<string, CharacterKey> = new Map(
  ROWS.flatMap(([first, plain, shifted]) =>
    [plain, shifted].flatMap((characters, level) =>
      Array.from(characters, (character, index): [string, CharacterKey] => [
        character,
        { code: first + index, isShifted: level === 1 },
      ]),
    ),
  ),
);

/**
 * Keys that a US keyboard lacks and programs know, by code: their names in the keycodes of xkb. Chromium ignores codes that it does not know, such
 * as those above 247.
 */
export const SPARE_KEYS: ReadonlyMap<number, string> = new Map([
  [183, 'FK13'],
  [184, 'FK14'],
  [185, 'FK15'],
  [186, 'FK16'],
  [187, 'FK17'],
  [188, 'FK18'],
  [189, 'FK19'],
  [190, 'FK20'],
  [191, 'FK21'],
  [192, 'FK22'],
  [193, 'FK23'],
  [194, 'FK24'],
  [89, 'AB11'],
  [90, 'KATA'],
  [91, 'HIRA'],
  [92, 'HENK'],
  [93, 'HKTG'],
  [94, 'MUHE'],
  [122, 'HNGL'],
  [123, 'HJCV'],
  [124, 'AE13'],
  [179, 'I187'],
  [180, 'I188'],
  [117, 'KPEQ'],
  [129, 'AGAI'],
  [130, 'PROP'],
  [131, 'UNDO'],
  [132, 'FRNT'],
  [133, 'COPY'],
  [134, 'OPEN'],
  [135, 'PAST'],
  [136, 'FIND'],
  [137, 'CUT'],
]);

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
