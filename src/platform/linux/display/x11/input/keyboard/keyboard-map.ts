import type { XkbState } from '../../x11-library.ts';
import { canonicalKeysym, LEVEL_3_SHIFT, NUM_LOCK, SHIFT } from '../../../keys/keysyms.ts';
import { keysymOf, type MappedKey, type XkbMap } from './xkb-map.ts';

/** How to type a keysym: a key with modifiers in a group. */
export interface Stroke {
  readonly keycode: number;
  readonly group: number;
  /** Real modifiers that must be added. */
  readonly modifiers: number;
}

/** What every key currently produces. The layout may change at any time: read it before each use. */
export class KeyboardMap {
  readonly xkb: XkbMap;
  readonly state: XkbState;
  /** Keycode of each real modifier that a stroke may need. */
  readonly modifierKeys: ReadonlyMap<number, number>;
  readonly #keys: readonly MappedKey[];
  readonly #groupCount: number;
  readonly #strokes = new Map<number, ReadonlyMap<number, Stroke>>();

  /** @param changesGroup whether keys of other groups than the active one may be used */
  constructor(xkb: XkbMap, state: XkbState, changesGroup = true) {
    this.xkb = xkb;
    this.state = state;
    this.#keys = [...xkb.keys.values()];
    this.#groupCount = changesGroup ? Math.max(1, ...this.#keys.map((key) => key.groupCount)) : 0;
    const bound = [this.#boundTo(SHIFT), this.#boundTo(LEVEL_3_SHIFT)];
    this.modifierKeys = new Map(
      bound.flatMap((key) => (key === undefined ? [] : [[key.modifiers, key.keycode]])),
    );
  }

  /** Locked modifiers that would change what is typed: all except Num Lock, which only affects the keypad. */
  get interferingLocks(): number {
    return this.state.lockedMods & ~(this.#boundTo(NUM_LOCK)?.modifiers ?? 0);
  }

  /**
   * The stroke for a keysym: in the active group if possible, otherwise in another one.
   * @param held real modifiers that are already down and stay down
   */
  strokeFor(keysym: number, held: number): Stroke | undefined {
    let strokes = this.#strokes.get(held);
    if (strokes === undefined) {
      strokes = this.#list(held);
      this.#strokes.set(held, strokes);
    }
    return strokes.get(canonicalKeysym(keysym));
  }

  #list(held: number): ReadonlyMap<number, Stroke> {
    const { group: active, lockedMods } = this.state;
    const staying = held | (lockedMods & ~this.interferingLocks);
    const groups = [...Array(this.#groupCount).keys()].filter((group) => group !== active);
    const [one = 0, other = 0] = this.modifierKeys.keys();
    const strokes = new Map<number, Stroke>();
    // The active group first; in each group the lowest keycode, which is the key that people use.
    for (const group of [active, ...groups]) {
      for (const key of this.#keys) {
        for (const added of [0, one, other, one | other]) {
          const keysym = canonicalKeysym(keysymOf(this.xkb, key, group, staying | added));
          if (keysym !== 0 && !strokes.has(keysym))
            strokes.set(keysym, { keycode: key.keycode, group, modifiers: added & ~held });
        }
      }
    }
    return strokes;
  }

  /** The modifier key that has this keysym without other modifiers. */
  #boundTo(keysym: number): { readonly keycode: number; readonly modifiers: number } | undefined {
    for (const key of this.#keys) {
      const modifiers = this.xkb.modifiers.get(key.keycode) ?? 0;
      if (modifiers !== 0 && keysymOf(this.xkb, key, this.state.group, 0) === keysym)
        return { keycode: key.keycode, modifiers };
    }
    return undefined;
  }
}
