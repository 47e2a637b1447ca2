import { mentionCommand } from './mention.ts';
import { DeskterityError } from '../effects/errors.ts';
import { nearest } from './nearest.ts';

/** Keys that have a name instead of a character, by their name in UI Events (`KeyboardEvent.key`). */
export const NAMED_KEYS = [
  'Enter',
  'Tab',
  'Escape',
  'Backspace',
  'Delete',
  'Insert',
  'Home',
  'End',
  'PageUp',
  'PageDown',
  'ArrowUp',
  'ArrowDown',
  'ArrowLeft',
  'ArrowRight',
  'ContextMenu',
  'CapsLock',
  'NumLock',
  'ScrollLock',
  'PrintScreen',
  'Pause',
  'F1',
  'F2',
  'F3',
  'F4',
  'F5',
  'F6',
  'F7',
  'F8',
  'F9',
  'F10',
  'F11',
  'F12',
  'F13',
  'F14',
  'F15',
  'F16',
  'F17',
  'F18',
  'F19',
  'F20',
  'F21',
  'F22',
  'F23',
  'F24',
  'Control',
  'Shift',
  'Alt',
  'AltGraph',
  'Meta',
  'AudioVolumeUp',
  'AudioVolumeDown',
  'AudioVolumeMute',
  'MediaPlayPause',
  'MediaStop',
  'MediaTrackNext',
  'MediaTrackPrevious',
  'BrowserBack',
  'BrowserForward',
] as const;
export type NamedKey = (typeof NAMED_KEYS)[number];

/** A named key, or the key of a character (one code point). */
export type KeyName =
  | { readonly kind: 'named'; readonly name: NamedKey }
  | { readonly kind: 'character'; readonly text: string };

/** Keys pressed together, in the order in which they go down: modifiers first. */
export type KeyCombination = readonly [KeyName, ...KeyName[]];

const MODIFIERS: ReadonlySet<NamedKey> = new Set<NamedKey>(['Control', 'Shift', 'Alt', 'AltGraph', 'Meta']);

/** Other names that people use, in lower case. */
const ALIASES: Readonly<Record<string, NamedKey>> = {
  ctrl: 'Control',
  control_l: 'Control',
  // Control on Linux and Windows, Command on a Mac.
  mod: 'Control',
  cmdorctrl: 'Control',
  controlormeta: 'Control',
  opt: 'Alt',
  option: 'Alt',
  altgr: 'AltGraph',
  super: 'Meta',
  win: 'Meta',
  windows: 'Meta',
  return: 'Enter',
  esc: 'Escape',
  del: 'Delete',
  ins: 'Insert',
  pgup: 'PageUp',
  page_up: 'PageUp',
  pgdn: 'PageDown',
  pagedn: 'PageDown',
  page_down: 'PageDown',
  up: 'ArrowUp',
  down: 'ArrowDown',
  left: 'ArrowLeft',
  right: 'ArrowRight',
  menu: 'ContextMenu',
  print: 'PrintScreen',
  volumeup: 'AudioVolumeUp',
  volumedown: 'AudioVolumeDown',
  mute: 'AudioVolumeMute',
};

/** The Command key of a Mac, which no keyboard here has. What it does there, Control does here; the Windows key has other names. */
const COMMAND_KEYS = new Set(['cmd', 'command', '⌘', 'apple']);

/** Characters that are ambiguous between plus signs, or invisible. */
const SPELLED: Readonly<Record<string, string>> = { plus: '+', space: ' ', minus: '-', comma: ',' };

const NAMED = new Map<string, NamedKey>(NAMED_KEYS.map((name) => [name.toLowerCase(), name]));
const LONGEST_SHOWN = 40;

/** Reads one key: `Enter`, `esc`, `a`, `ä`, `space`, `+`. @throws DeskterityError INVALID_ARGUMENT with a suggestion */
export function parseKey(text: string): KeyName {
  const lower = text.trim().toLowerCase();
  const name = NAMED.get(lower) ?? (Object.hasOwn(ALIASES, lower) ? ALIASES[lower] : undefined);
  if (name !== undefined) return { kind: 'named', name };
  if (COMMAND_KEYS.has(lower)) refuseCommandKey([lower]);
  if (Object.hasOwn(SPELLED, lower)) return { kind: 'character', text: SPELLED[lower] ?? '' };
  const only = onlyCharacter(text === ' ' ? text : text.trim());
  if (only !== undefined && !isUnprintable(only)) return { kind: 'character', text: only };
  throw unknownKey(text, lower);
}

/**
 * Reads keys joined by plus signs: `ctrl+shift+s`, `alt+F4`, `ctrl++`. A letter means its key: `ctrl+S` is `ctrl+s`; add `shift`
 * to press Shift.
 * @throws DeskterityError INVALID_ARGUMENT
 */
export function parseKeyCombination(text: string): KeyCombination {
  const parts = splitKeys(text.trim() === '' ? text : text.trim());
  refuseCommandKey(parts);
  const keys = parts.map((part) => parseKey(part));
  const isModified = keys.length > 1;
  const [first, ...rest] = keys.map((key): KeyName =>
    isModified && key.kind === 'character' ? { kind: 'character', text: lowerCase(key.text) } : key,
  );
  if (first === undefined) throw unknownKey(text, '');
  const strays = [first, ...rest].slice(0, -1).filter((key) => !isModifier(key));
  if (strays.length > 0)
    throw new DeskterityError(
      'INVALID_ARGUMENT',
      `${JSON.stringify(text.slice(0, LONGEST_SHOWN))} presses more than one key that is not a modifier.`,
      {
        suggestion: `Give modifiers first and one key last, as in ctrl+shift+s; to type text use ${mentionCommand('type')}.`,
        delivered: false,
      },
    );
  return [first, ...rest];
}

/**
 * Whoever writes `cmd+c`, or `meta+c` as in some test tools, means what Control does here. As the Windows key it would do something else, or nothing.
 * @throws DeskterityError INVALID_ARGUMENT that gives the right keys
 */
function refuseCommandKey(parts: readonly string[]): void {
  const words = parts.map((part) => part.trim().toLowerCase());
  const last = words.at(-1) ?? '';
  const isShortcut = words.length > 1 && /^[\p{L}\p{N}]$/u.test(last);
  const isCommand = (word: string): boolean =>
    COMMAND_KEYS.has(word) ||
    (isShortcut && word === 'meta' && !words.includes('ctrl') && !words.includes('control'));
  const at = words.findIndex(
    (word, index) => isCommand(word) && (index < words.length - 1 || words.length === 1),
  );
  const given = words[at];
  if (given === undefined) return;
  const spelled = (name: string): string => words.with(at, name).join('+').slice(0, LONGEST_SHOWN);
  const isMeta = given === 'meta';
  throw new DeskterityError(
    'INVALID_ARGUMENT',
    `${JSON.stringify(words.join('+').slice(0, LONGEST_SHOWN))} ${isMeta ? 'may mean the Command key of a Mac' : 'needs the Command key of a Mac'}, which this desktop does not have.`,
    {
      suggestion: `Use ${spelled('ctrl')}, which does the same here; for the Windows key write ${spelled('super')}.`,
      delivered: false,
    },
  );
}

/** As people write it: `Control+Shift+s`. */
export function showKeyCombination(keys: KeyCombination): string {
  return keys.map(showKey).join('+');
}

export function showKey(key: KeyName): string {
  // Combinations with "meta" are refused, as many mean another key by it.
  if (key.kind === 'named') return key.name === 'Meta' ? 'Super' : key.name;
  return key.text === ' ' ? 'Space' : key.text;
}

export function isModifier(key: KeyName): boolean {
  return key.kind === 'named' && MODIFIERS.has(key.name);
}

/** A plus sign that follows another, or stands alone, is the key itself. */
function splitKeys(text: string): string[] {
  if (text === '+') return ['+'];
  if (text.endsWith('++')) return [...text.slice(0, -2).split('+'), '+'];
  return text.split('+');
}

/** A letter with combining marks counts as one character; some characters have no composed form. */
function onlyCharacter(text: string): string | undefined {
  return [text.normalize('NFC'), text].find((form) => Array.from(form).length === 1);
}

/** The lower-case letter, or the letter itself if it has no single one. */
function lowerCase(letter: string): string {
  const lower = letter.toLowerCase();
  return Array.from(lower).length === 1 ? lower : letter;
}

function isUnprintable(character: string): boolean {
  return /[\p{Cc}\p{Cs}\p{Cn}]/u.test(character);
}

function unknownKey(text: string, lower: string): DeskterityError {
  const close = nearest(lower, [...NAMED_KEYS, ...Object.keys(ALIASES), ...Object.keys(SPELLED)]);
  return new DeskterityError(
    'INVALID_ARGUMENT',
    `${JSON.stringify(text.slice(0, LONGEST_SHOWN))} is not a key.`,
    {
      suggestion:
        close === undefined
          ? 'Use names such as Enter, Escape, ArrowDown, F5, or a single character; join keys with a plus sign: ctrl+s.'
          : `Did you mean ${close}?`,
      delivered: false,
    },
  );
}
