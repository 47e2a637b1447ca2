import { showKey, type KeyName } from '../../../../../model/text/key-combination.ts';
import { unsupported } from '../../../failures.ts';
import type { LevelKey } from '../keyboard/key-table.ts';
import type { HeldInput } from './held-input.ts';

const SHIFT: KeyName = { kind: 'named', name: 'Shift' };
const ALT_GRAPH: KeyName = { kind: 'named', name: 'AltGraph' };

export interface LayoutKeysParts {
  /** As it begins a sentence. */
  readonly compositor: string;
  /** The key of the active layout that gives something. */
  readonly layout: { keyOf(key: KeyName): LevelKey | undefined };
  readonly held: HeldInput;
  readonly send: (code: number, isDown: boolean) => void;
}

/** The keys of the active layout, which is all that some compositors accept. */
export class LayoutKeys {
  readonly #parts: LayoutKeysParts;

  constructor(parts: LayoutKeysParts) {
    this.#parts = parts;
  }

  /** @throws DeskterityError ACTION_NOT_SUPPORTED if the layout has none of them */
  require(keys: readonly KeyName[]): void {
    for (const key of keys) this.#keyOf(key);
  }

  press(key: KeyName, isDown: boolean): void {
    const found = this.#keyOf(key);
    this.#parts.held.note(showKey(key), isDown, () => this.#sendWithModifiers(found, false));
    this.#sendWithModifiers(found, isDown);
  }

  #keyOf(key: KeyName): LevelKey {
    const found = this.#parts.layout.keyOf(key);
    if (found !== undefined) return found;
    throw unsupported(
      `${this.#parts.compositor} accepts only keys of the active keyboard layout, and none of them gives ${showKey(key)}.`,
      'Let it be entered through accessibility or the clipboard, or add a keyboard layout that has it.',
    );
  }

  /** Shift and AltGr go down with a key that needs them, unless they are down already, and up with it. */
  #sendWithModifiers({ code, isShifted, isLevel3 }: LevelKey, isDown: boolean): void {
    const { held, send } = this.#parts;
    const added = [...(isShifted ? [SHIFT] : []), ...(isLevel3 ? [ALT_GRAPH] : [])]
      .filter((modifier) => !held.has(showKey(modifier)))
      .map((modifier) => this.#keyOf(modifier).code);
    if (isDown) for (const modifier of added) send(modifier, true);
    send(code, isDown);
    if (!isDown) for (const modifier of added.toReversed()) send(modifier, false);
  }
}
