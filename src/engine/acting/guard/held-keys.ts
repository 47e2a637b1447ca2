import { showKey, type KeyName, type NamedKey } from '../../../model/text/key-combination.ts';
import type { DesktopPort } from '../../../ports/desktop/desktop.ts';

/** What calls of this process hold down on a desktop, as its last lease told. */
const held = new WeakMap<DesktopPort['input'], readonly string[]>();

const MODIFIERS: readonly NamedKey[] = ['Control', 'Shift', 'Alt', 'AltGraph', 'Meta'];

/** @param words as in `InputLease.held` */
export function noteHeld({ input }: DesktopPort, words: readonly string[]): void {
  held.set(input, words);
}

/** The modifiers that an earlier call holds down: the next key makes a combination with them. */
export function heldModifiers({ input }: DesktopPort): readonly KeyName[] {
  const words = held.get(input) ?? [];
  return MODIFIERS.map((name): KeyName => ({ kind: 'named', name })).filter((key) =>
    words.includes(showKey(key)),
  );
}
