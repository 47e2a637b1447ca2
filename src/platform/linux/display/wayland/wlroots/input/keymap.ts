import type { KeyName } from '../../../../../../model/text/key-combination.ts';
import { keysymForCharacter, NAMED_KEYSYMS } from '../../../keys/keysyms.ts';
import { CHARACTER_CODES, NAMED_CODES } from './key-codes.ts';

/** Codes of keys that no keyboard has; in a keymap each is 8 higher. */
const FIRST_SPARE = 400;
const SPARE_KEYS = 200;
const KEYMAP_OFFSET = 8;

/**
 * A US keyboard with spare keys, which get whatever it lacks: one character each, so that no modifier is needed. Nothing is taken away before all
 * spare keys are in use.
 */
export class Keymap {
  /** Codes by keysym, the one that was used longest ago first. */
  readonly #spare = new Map<number, number>();

  /**
   * Gives each of some keys a code.
   * @param held codes that must keep their meaning
   * @returns whether the keymap must be sent again
   */
  provide(keys: readonly KeyName[], held: ReadonlySet<number> = new Set()): boolean {
    let hasChanged = false;
    for (const key of keys) {
      if (usualCode(key) !== undefined) continue;
      const keysym = keysymOf(key);
      const known = this.#spare.get(keysym);
      // What is used moves to the end.
      this.#spare.delete(keysym);
      const code = known ?? this.#freeCode(held);
      this.#spare.set(keysym, code);
      hasChanged ||= known === undefined;
    }
    return hasChanged;
  }

  /** The code of a key; `undefined` if it was not provided. */
  codeOf(key: KeyName): number | undefined {
    return usualCode(key) ?? this.#spare.get(keysymOf(key));
  }

  /** In the format of xkb. */
  get text(): string {
    const spare = [...this.#spare].toSorted(([, a], [, b]) => a - b);
    const codes = spare.map(([, code]) => `<D${code}> = ${code + KEYMAP_OFFSET};`);
    const symbols = spare.map(([keysym, code]) => `key <D${code}> { [ 0x${keysym.toString(16)} ] };`);
    return `xkb_keymap {
xkb_keycodes "deskterity" { include "evdev" ${codes.join(' ')} };
xkb_types "deskterity" { include "complete" };
xkb_compatibility "deskterity" { include "complete" };
xkb_symbols "deskterity" { include "pc+us+inet(evdev)+level3(ralt_switch)" ${symbols.join(' ')} };
};
`;
  }

  #freeCode(held: ReadonlySet<number>): number {
    if (this.#spare.size < SPARE_KEYS) return FIRST_SPARE + this.#spare.size;
    for (const [keysym, code] of this.#spare) {
      if (held.has(code)) continue;
      this.#spare.delete(keysym);
      return code;
    }
    throw new Error('all spare keys are held down');
  }
}

/** How many different characters one batch may have: all of them need a key at the same time. */
export const MOST_CHARACTERS = SPARE_KEYS - 50;

function usualCode(key: KeyName): number | undefined {
  if (key.kind === 'named') return NAMED_CODES[key.name];
  if (key.text === '\n') return NAMED_CODES.Enter;
  if (key.text === '\t') return NAMED_CODES.Tab;
  return CHARACTER_CODES.get(key.text);
}

function keysymOf(key: KeyName): number {
  return key.kind === 'named' ? NAMED_KEYSYMS[key.name][0] : keysymForCharacter(key.text);
}
