import type { X11Wire } from '../../wire.ts';
import type { XEvent } from '../../x11-library.ts';

const CORE_KEYBOARD = 0x100;
/** XkbSelectEvents: NewKeyboardNotify and MapNotify. */
const CHANGES = 0b11;
/** Map parts: the keysyms of keys, and which keys are modifiers. */
const SYMBOLS_AND_MODIFIERS = 0b110;
const XKB_TYPES: readonly (number | undefined)[] = [0, 1];

/** Selects events about changed key mappings. Clients of the X Keyboard Extension receive them only from it. */
export async function selectKeyboardChanges(wire: X11Wire): Promise<void> {
  const xkb = await wire.extension('xkb');
  if (!xkb) return;
  wire.send(() => {
    xkb.SelectEvents(CORE_KEYBOARD, CHANGES, 0, CHANGES, SYMBOLS_AND_MODIFIERS, SYMBOLS_AND_MODIFIERS);
  });
}

export function isKeyboardChange({ name, xkbType }: XEvent): boolean {
  return name === 'MappingNotify' || (name === 'XkbEvent' && XKB_TYPES.includes(xkbType));
}
