import { isDeepStrictEqual } from 'node:util';
import type { X11Wire } from '../wire.ts';
import type { SentEvent } from './fake-input.ts';
import { isKeyboardChange } from './keyboard/keyboard-changes.ts';

export const HOT_KEY = 'Ctrl+Alt+Shift+Escape';

const KEYSYM = { escape: 0xff1b, numLock: 0xff7f, altLeft: 0xffe9, altRight: 0xffea } as const;
const SHIFT = 1;
const LOCK = 2;
const CONTROL = 4;
const FIRST_KEYCODE = 8;
const KEYCODES = 248;
const ASYNCHRONOUS = 1;

interface Combination {
  readonly keycode: number;
  /** Modifier states, with and without unrelated locks. */
  readonly states: readonly number[];
  /** The keys of each of its modifiers. */
  readonly modifiers: readonly (readonly number[])[];
}

/**
 * The key combination that stops all acting, grabbed on the root window so that it reaches us regardless of the focus. Only
 * one client can grab it; a selection tells our other processes that one of us has it.
 */
export class HotKey {
  readonly #wire: X11Wire;
  readonly #window: number;
  readonly #selection: number;
  #combination: Combination | undefined;
  #isGrabbed = false;
  #isOutdated = false;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(wire: X11Wire, window: number) {
    this.#wire = wire;
    this.#window = window;
    this.#selection = wire.atom('_DESKTERITY_HOT_KEY');
    wire.onEvent((event) => {
      if (!isKeyboardChange(event) || this.#isOutdated) return;
      // A layout change is reported key by key.
      this.#isOutdated = true;
      this.#inTurn(() => this.#renew()).catch(() => undefined);
    });
  }

  onPressed(listener: () => void): void {
    this.#wire.onEvent(({ name, keycode }) => {
      // This connection receives no other keys.
      if (name === 'KeyPress' && this.#isGrabbed && keycode === this.#combination?.keycode) listener();
    });
  }

  /** Tries to grab the keys. Returns whether they now stop acting, through this or another of our processes. */
  listen(): Promise<boolean> {
    return this.#inTurn(() => this.#listen());
  }

  /** Whether this event, together with what is held down, would be the hot-key. */
  isPressedBy(event: SentEvent, held: readonly number[]): boolean {
    const { keycode, modifiers } = this.#combination ?? { keycode: 0, modifiers: [] };
    return (
      event.kind === 'key' &&
      event.isDown &&
      event.keycode === keycode &&
      modifiers.every((keys) => keys.some((key) => held.includes(key)))
    );
  }

  async #listen(): Promise<boolean> {
    if (this.#isGrabbed) return true;
    this.#combination ??= await this.#find();
    if (this.#combination === undefined) return false;
    const { keycode, states } = this.#combination;
    const grabbed = await Promise.all(states.map((state) => this.#grab(keycode, state)));
    if (grabbed.every(Boolean)) {
      this.#isGrabbed = true;
      await this.#own(this.#window);
      return true;
    }
    const partial = states.filter((_state, index) => grabbed[index]);
    await Promise.all(partial.map((state) => this.#ungrab(keycode, state)));
    return (await this.#owner()) !== 0;
  }

  /** The same keys may have different keycodes now. */
  async #renew(): Promise<void> {
    this.#isOutdated = false;
    const was = this.#combination;
    this.#combination = await this.#find();
    if (!this.#isGrabbed || was === undefined || isDeepStrictEqual(was, this.#combination)) return;
    this.#isGrabbed = false;
    await Promise.all(was.states.map((state) => this.#ungrab(was.keycode, state)));
    if ((await this.#owner()) === this.#window) await this.#own(0);
    await this.#listen();
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => undefined);
    return done;
  }

  async #find(): Promise<Combination | undefined> {
    const [keys, modifiers] = await Promise.all([
      this.#wire.call('GetKeyboardMapping', FIRST_KEYCODE, KEYCODES),
      this.#wire.call('GetModifierMapping'),
    ]);
    const hasKeysym = (keycode: number, wanted: readonly number[]): boolean =>
      wanted.some((keysym) => keys[keycode - FIRST_KEYCODE]?.includes(keysym));
    const modifierOf = (...keysyms: number[]): number =>
      modifiers.findIndex((keycodes) => keycodes.some((keycode) => hasKeysym(keycode, keysyms)));
    const escape = keys.findIndex((keysyms) => keysyms[0] === KEYSYM.escape);
    const alt = modifierOf(KEYSYM.altLeft, KEYSYM.altRight);
    if (escape < 0 || alt < 0) return undefined;
    const numLock = modifierOf(KEYSYM.numLock);
    const numLockMask = numLock < 0 ? 0 : 1 << numLock;
    const state = SHIFT | CONTROL | (1 << alt);
    return {
      keycode: escape + FIRST_KEYCODE,
      states: [...new Set([0, LOCK, numLockMask, LOCK | numLockMask])].map((locks) => state | locks),
      modifiers: [0, 2, alt].map((index) => (modifiers[index] ?? []).filter((keycode) => keycode > 0)),
    };
  }

  #grab(keycode: number, state: number): Promise<boolean> {
    return this.#wire.accepts('GrabKey', this.#wire.root, 1, state, keycode, ASYNCHRONOUS, ASYNCHRONOUS);
  }

  async #ungrab(keycode: number, state: number): Promise<void> {
    await this.#wire.tryCall('UngrabKey', this.#wire.root, keycode, state);
  }

  async #own(window: number): Promise<void> {
    await this.#wire.tryCall('SetSelectionOwner', window, this.#selection, 0);
  }

  #owner(): Promise<number> {
    return this.#wire.call('GetSelectionOwner', this.#selection);
  }
}
