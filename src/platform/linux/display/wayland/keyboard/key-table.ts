import type { KeyName } from '../../../../../model/text/key-combination.ts';
import { canonicalKeysym, keysymForCharacter, NAMED_KEYSYMS } from '../../keys/keysyms.ts';

/** A key that gives a keysym with some modifiers. */
export interface LevelKey {
  /** Of the kernel. */
  readonly code: number;
  readonly keysym: number;
  readonly isShifted: boolean;
  /** Needs AltGr. */
  readonly isLevel3: boolean;
}

/** The keys of one layout of a keyboard, by what they give. */
export class KeyTable {
  readonly #keys = new Map<number, LevelKey>();

  /** @param keys those that need the fewest modifiers first */
  constructor(keys: readonly LevelKey[]) {
    for (const key of keys) {
      const keysym = canonicalKeysym(key.keysym);
      if (!this.#keys.has(keysym)) this.#keys.set(keysym, key);
    }
  }

  /** `undefined` if no key of the layout gives it. */
  keyOf(key: KeyName): LevelKey | undefined {
    const keysyms = key.kind === 'named' ? NAMED_KEYSYMS[key.name] : [keysymForCharacter(key.text)];
    return keysyms
      .map((keysym) => this.#keys.get(canonicalKeysym(keysym)))
      .find((found) => found !== undefined);
  }
}
