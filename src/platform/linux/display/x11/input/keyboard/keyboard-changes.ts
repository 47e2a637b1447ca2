import type { X11Wire } from '../../wire.ts';
import type { XEvent } from '../../x11-library.ts';

const CORE_KEYBOARD = 0x100;
/** Of XkbSelectEvents: NewKeyboardNotify and MapNotify. */
const CHANGES = 0b11;
/** Of a map: which keysyms its keys have, and which keys are modifiers. */
const SYMBOLS_AND_MODIFIERS = 0b110;
const XKB_TYPES: readonly (number | undefined)[] = [0, 1];

/** Has the server tell of keys that mean something else from now on. Whoever uses the X Keyboard Extension is told by that one alone. */
export async function hearKeyboardChanges(wire: X11Wire): Promise<void> {
  const xkb = await wire.extension('xkb');
  if (!xkb) return;
  wire.send(() => {
    xkb.SelectEvents(CORE_KEYBOARD, CHANGES, 0, CHANGES, SYMBOLS_AND_MODIFIERS, SYMBOLS_AND_MODIFIERS);
  });
}

export function isKeyboardChange({ name, xkbType }: XEvent): boolean {
  return name === 'MappingNotify' || (name === 'XkbEvent' && XKB_TYPES.includes(xkbType));
}
