import type { XkbState } from '../../x11-library.ts';
import { canonicalKeysym, LEVEL_3_SHIFT, NUM_LOCK, SHIFT } from './keysyms.ts';
import { keysymOf } from './xkb-map.ts';
import type { MappedKey, XkbMap } from './xkb-map.ts';

/** How a keysym is had: a key, with modifiers, while a group is in force. */
export interface Stroke {
  readonly keycode: number;
  readonly group: number;
  /** Real modifiers that must be added. */
  readonly modifiers: number;
}

/** What every key gives now. The layout may change at any time: read anew before each use. */
export class KeyboardMap {
  readonly xkb: XkbMap;
  readonly state: XkbState;
  /** Keycode for each real modifier that a stroke may need. */
  readonly modifierKeys: ReadonlyMap<number, number>;
  readonly #keys: readonly MappedKey[];
  readonly #groupCount: number;
  readonly #strokes = new Map<number, ReadonlyMap<number, Stroke>>();

  constructor(xkb: XkbMap, state: XkbState) {
    this.xkb = xkb;
    this.state = state;
    this.#keys = [...xkb.keys.values()];
    this.#groupCount = Math.max(1, ...this.#keys.map((key) => key.groupCount));
    const bound = [this.#boundTo(SHIFT), this.#boundTo(LEVEL_3_SHIFT)];
    this.modifierKeys = new Map(
      bound.flatMap((key) => (key === undefined ? [] : [[key.modifiers, key.keycode]])),
    );
  }

  /** Modifiers locked now that would turn what is typed around: all but Num Lock, which only concerns the keypad. */
  get disturbingLocks(): number {
    return this.state.lockedMods & ~(this.#boundTo(NUM_LOCK)?.modifiers ?? 0);
  }

  /**
   * The stroke for a keysym: in the group in force if possible, else in another one.
   * @param held real modifiers that are down already and stay so
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
    const staying = held | (lockedMods & ~this.disturbingLocks);
    const groups = [...Array(this.#groupCount).keys()].filter((group) => group !== active);
    const [one = 0, other = 0] = this.modifierKeys.keys();
    const strokes = new Map<number, Stroke>();
    // The group in force first; in each the lowest keycode, which is the key that people use.
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

  /** The key that bears a keysym without any modifier and is itself bound to modifiers. */
  #boundTo(keysym: number): { readonly keycode: number; readonly modifiers: number } | undefined {
    for (const key of this.#keys) {
      const modifiers = this.xkb.modifiers.get(key.keycode) ?? 0;
      if (modifiers !== 0 && keysymOf(this.xkb, key, this.state.group, 0) === keysym)
        return { keycode: key.keycode, modifiers };
    }
    return undefined;
  }
}
