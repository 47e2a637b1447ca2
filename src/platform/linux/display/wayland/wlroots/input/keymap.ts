import type { KeyName } from '../../../../../../model/text/key-combination.ts';
import { keysymForCharacter, NAMED_KEYSYMS } from '../../../keys/keysyms.ts';
import { CHARACTER_KEYS, NAMED_CODES, SPARE_KEYS, type CharacterKey } from './key-codes.ts';

/** How many different keys can be provided at once: fewer than there are, as some may be held down. */
export const MOST_PROVIDED = SPARE_KEYS.size - 8;

/**
 * A US keyboard with spare keys, which get whatever it lacks: one character each, so that no modifier is needed. Nothing is taken away before all
 * spare keys are in use.
 */
export class Keymap {
  /** Codes by keysym, the one that was used longest ago first. */
  readonly #spare = new Map<number, number>();

  /** Whether a key is one that must be provided. */
  isSpare(key: KeyName): boolean {
    return usualKey(key) === undefined;
  }

  /**
   * Gives each of some keys a code; at most {@link MOST_PROVIDED} different ones.
   * @param held codes that must keep their meaning
   * @returns whether the keymap must be sent again
   */
  provide(keys: readonly KeyName[], held: ReadonlySet<number> = new Set()): boolean {
    let hasChanged = false;
    for (const key of keys) {
      if (!this.isSpare(key)) continue;
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

  /** The key to press; `undefined` if it was not provided. */
  keyOf(key: KeyName): CharacterKey | undefined {
    const usual = usualKey(key);
    if (usual !== undefined) return usual;
    const code = this.#spare.get(keysymOf(key));
    return code === undefined ? undefined : { code, isShifted: false };
  }

  /** In the format of xkb. */
  get text(): string {
    const symbols = [...this.#spare].map(
      ([keysym, code]) =>
        `replace key <${SPARE_KEYS.get(code)}> { type = "ONE_LEVEL", symbols[Group1] = [ 0x${keysym.toString(16)} ] };`,
    );
    return `xkb_keymap {
xkb_keycodes { include "evdev" };
xkb_types { include "complete" };
xkb_compatibility { include "complete" };
xkb_symbols { include "pc+us+inet(evdev)+level3(ralt_switch)" ${symbols.join(' ')} };
};
`;
  }

  #freeCode(held: ReadonlySet<number>): number {
    const used = new Set(this.#spare.values());
    for (const code of SPARE_KEYS.keys()) if (!used.has(code)) return code;
    for (const [keysym, code] of this.#spare) {
      if (held.has(code)) continue;
      this.#spare.delete(keysym);
      return code;
    }
    throw new Error('all spare keys are held down');
  }
}

function usualKey(key: KeyName): CharacterKey | undefined {
  const name =
    key.kind === 'named' ? key.name : key.text === '\n' ? 'Enter' : key.text === '\t' ? 'Tab' : undefined;
  const code = name && NAMED_CODES[name];
  if (code !== undefined) return { code, isShifted: false };
  return key.kind === 'character' ? CHARACTER_KEYS.get(key.text) : undefined;
}

function keysymOf(key: KeyName): number {
  return key.kind === 'named' ? NAMED_KEYSYMS[key.name][0] : keysymForCharacter(key.text);
}
