import type { TerminalModes } from '../../model/terminals/terminal-screen.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import { isModifier, showKey, type KeyCombination, type NamedKey } from '../../model/text/key-combination.ts';

const ESCAPE = '\u001B';

/** Keys whose sequence ends in a letter: `CSI 1 ; modifiers letter`. */
const LETTERED = new Map([
  ['ArrowUp', 'A'],
  ['ArrowDown', 'B'],
  ['ArrowRight', 'C'],
  ['ArrowLeft', 'D'],
  ['End', 'F'],
  ['Home', 'H'],
  ['F1', 'P'],
  ['F2', 'Q'],
  ['F3', 'R'],
  ['F4', 'S'],
]);

/** Keys with a number: `CSI number ; modifiers ~`. */
const NUMBERED = new Map([
  ['Insert', 2],
  ['Delete', 3],
  ['PageUp', 5],
  ['PageDown', 6],
  ['F5', 15],
  ['F6', 17],
  ['F7', 18],
  ['F8', 19],
  ['F9', 20],
  ['F10', 21],
  ['F11', 23],
  ['F12', 24],
  ['ContextMenu', 29],
]);

/** Codes of Control with characters that are not letters, as in xterm. */
const CONTROLLED: readonly (readonly [characters: string, code: number])[] = [
  [' 2@`', 0x00],
  ['3[', 0x1b],
  ['4\\', 0x1c],
  ['5]', 0x1d],
  ['6^~', 0x1e],
  ['7/_-', 0x1f],
  ['8?', 0x7f],
];

interface Modifiers {
  readonly shift: boolean;
  readonly alt: boolean;
  readonly control: boolean;
  readonly meta: boolean;
}

/**
 * The bytes that xterm sends for a key combination.
 * @throws DeskterityError ACTION_NOT_SUPPORTED for keys without bytes, such as Shift alone
 */
export function keyBytes(
  keys: KeyCombination,
  modes: Pick<TerminalModes, 'isApplicationCursor'>,
): Uint8Array {
  const held = keys.slice(0, -1);
  const has = (name: NamedKey) => held.some((key) => key.kind === 'named' && key.name === name);
  const modifiers = { shift: has('Shift'), alt: has('Alt'), control: has('Control'), meta: has('Meta') };
  const last = keys.at(-1);
  const text =
    last === undefined || isModifier(last)
      ? undefined
      : last.kind === 'named'
        ? namedKey(last.name, modifiers, modes.isApplicationCursor)
        : characterKey(last.text, modifiers);
  if (text !== undefined) return Buffer.from(text);
  throw new DeskterityError(
    'ACTION_NOT_SUPPORTED',
    `A terminal cannot send ${keys.map(showKey).join('+')}.`,
    {
      suggestion:
        'Use a character, Enter, Tab, Escape, an arrow key or F1 to F24, with ctrl or alt if needed.',
      delivered: false,
    },
  );
}

function namedKey(name: string, modifiers: Modifiers, isApplication: boolean): string | undefined {
  const parameter = modifierParameter(modifiers);
  const letter = LETTERED.get(name);
  if (letter !== undefined) {
    if (parameter > 1) return `${ESCAPE}[1;${parameter}${letter}`;
    return `${ESCAPE}${isApplication || name.startsWith('F') ? 'O' : '['}${letter}`;
  }
  const number = NUMBERED.get(name);
  if (number !== undefined) return `${ESCAPE}[${number}${parameter > 1 ? `;${parameter}` : ''}~`;
  // F13 to F24 are what xterm sends for F1 to F12 with Shift.
  const shifted = /^F(1[3-9]|2[0-4])$/.exec(name);
  if (shifted === null) return plainKey(name, modifiers);
  return namedKey(`F${Number(shifted[1]) - 12}`, { ...modifiers, shift: true }, isApplication);
}

/** Keys that send a control character. */
function plainKey(name: string, { shift, alt, control }: Modifiers): string | undefined {
  const before = alt ? ESCAPE : '';
  switch (name) {
    case 'Enter':
      return `${before}\r`;
    case 'Tab':
      return shift ? `${before}${ESCAPE}[Z` : `${before}\t`;
    case 'Escape':
      return `${before}${ESCAPE}`;
    case 'Backspace':
      return `${before}${control ? '\b' : '\u007F'}`;
    default:
      return undefined;
  }
}

function characterKey(text: string, { shift, alt, control, meta }: Modifiers): string | undefined {
  const before = alt || meta ? ESCAPE : '';
  if (!control) return `${before}${shift ? text.toUpperCase() : text}`;
  const code = text.toUpperCase().charCodeAt(0);
  if (code >= 0x41 && code <= 0x5a && text.length === 1)
    return `${before}${String.fromCharCode(code - 0x40)}`;
  const [, controlled] = CONTROLLED.find(([characters]) => characters.includes(text)) ?? [];
  return controlled === undefined ? undefined : `${before}${String.fromCharCode(controlled)}`;
}

function modifierParameter({ shift, alt, control, meta }: Modifiers): number {
  return 1 + Number(shift) + 2 * Number(alt) + 4 * Number(control) + 8 * Number(meta);
}

/** Text as typed bytes: a line feed becomes Enter. */
export function typedBytes(text: string): Uint8Array {
  return Buffer.from(text.replaceAll(/\r?\n/g, '\r'));
}
