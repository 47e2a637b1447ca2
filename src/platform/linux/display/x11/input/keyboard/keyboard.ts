import { setTimeout as sleep } from 'node:timers/promises';
import { isModifier, showKey } from '../../../../../../model/text/key-combination.ts';
import type { KeyCombination, KeyName } from '../../../../../../model/text/key-combination.ts';
import type { X11Wire } from '../../wire.ts';
import { ApplicationPing } from '../application-ping.ts';
import type { FakeInput } from '../fake-input.ts';
import { WindowManagerBarrier } from '../window-manager-barrier.ts';
import { noKey, stopIfCancelled, unresponsive } from './keyboard-failures.ts';
import type { KeyboardMap, Stroke } from './keyboard-map.ts';
import { textUnits } from '../../../keys/keyboard-text.ts';
import { keysymsOnOneKey } from '../../../keys/keysyms.ts';
import { SpareKeycodes } from './spare-keycodes.ts';
import {
  available,
  isLocking,
  keysymOfKey,
  lacking,
  modifierKeycodes,
  sendStrokes,
  strokeOf,
} from './strokes.ts';
import { whileFocused } from './while-focused.ts';
import { XkbRequests } from './xkb-requests.ts';

export interface TypeOptions {
  /** Time between two characters; 0 for batches at full speed. */
  readonly delayMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Awaited before each batch of characters (with `delayMs`, before each character); an error from it ends the typing and is passed on. */
  readonly beforeBatch: () => Promise<void>;
  /** The window that must have the keyboard focus whenever characters go out, see {@link whileFocused}. */
  readonly into?: number | undefined;
  /** Called with the number of code points that the display has accepted so far. */
  readonly onTyped?: ((count: number) => void) | undefined;
}

/** Characters between two checks of their target. */
const BATCH = 100;
const DEADLINE_MS = 5_000;
/** Time for an application without ping support to notice new keys. */
const NOTICING_MS = 30;
/** Time to read keys. After a ping reply the application has them, but its input method or Chromium's page may look up the layout again. */
const READING_MS = 100;
/** Final wait after typing was interrupted. */
const LAST_WAIT_MS = 300;

/**
 * Presses keys by name and types text by character with any layout. It uses the key that has a character in the active
 * group, else one in another group, else it borrows an unused key, which is temporarily remapped. Callers must hold the
 * input lease.
 */
export class Keyboard {
  readonly #wire: X11Wire;
  readonly #fake: FakeInput;
  readonly #xkb: XkbRequests;
  readonly #spare: SpareKeycodes;
  readonly #ping: ApplicationPing;
  readonly #barrier: WindowManagerBarrier;
  readonly #held = new Set<number>();
  /** Borrowed keys were sent that the application may not have read yet. */
  #isUnread = false;

  private constructor(wire: X11Wire, fake: FakeInput, xkb: XkbRequests) {
    this.#wire = wire;
    this.#fake = fake;
    this.#xkb = xkb;
    this.#spare = new SpareKeycodes(wire, xkb);
    this.#ping = new ApplicationPing(wire);
    this.#barrier = new WindowManagerBarrier(wire);
  }

  /**
   * Changes nothing on the display except this client's event selection on the root window.
   * @param wire no other code may change its event selection on the root window
   * @param layout see {@link XkbRequests.open}
   * @throws DeskterityError ACTION_NOT_SUPPORTED if the server has no X Keyboard Extension
   */
  static async open(wire: X11Wire, fake: FakeInput, layout: X11Wire = wire): Promise<Keyboard> {
    return new Keyboard(wire, fake, await XkbRequests.open(wire, layout));
  }

  /**
   * Presses keys in order and releases them in reverse, in one write; resolves when the display has processed them.
   * @param into see {@link whileFocused}
   * @param onSent may send requests that the display processes right after the keys
   * @throws DeskterityError ACTION_NOT_SUPPORTED if there is no key for one of them
   */
  async press(keys: KeyCombination, into?: number, onSent?: () => void): Promise<void> {
    await this.#using(undefined, async () => {
      const { map, strokes } = await this.#find(keys);
      const named = strokes.reduce((all, { keycode }) => all | (map.xkb.modifiers.get(keycode) ?? 0), 0);
      const present = named | map.state.baseMods;
      const keycodes = strokes.flatMap(({ keycode, modifiers }) => [
        ...modifierKeycodes(map, modifiers & ~present),
        keycode,
      ]);
      const pressed = [...new Set(keycodes)].filter((keycode) => !this.#held.has(keycode));
      await this.#aimed(into, () => {
        this.#burst(map, keys.some(isLocking), (useGroup) => {
          useGroup(strokes.at(-1)?.group ?? map.state.group);
          for (const keycode of pressed) this.#fake.key(keycode, true);
          for (const keycode of pressed.toReversed()) this.#fake.key(keycode, false);
        });
        onSent?.();
      });
      this.#note(pressed);
      await this.#sync();
    });
  }

  /**
   * Holds a key down; its mapping is kept until {@link up}.
   * @returns its keycode
   * @throws DeskterityError ACTION_NOT_SUPPORTED if there is no key for it
   */
  async down(key: KeyName, into?: number): Promise<number> {
    await this.#limited(this.#spare.adopt());
    const {
      map,
      strokes: [stroke],
    } = await this.#find([key]);
    if (stroke === undefined) throw noKey(showKey(key), false);
    const added = modifierKeycodes(map, stroke.modifiers & ~map.state.baseMods);
    await this.#aimed(into, () => {
      this.#burst(map, isLocking(key), (useGroup) => {
        useGroup(stroke.group);
        for (const keycode of added) this.#fake.key(keycode, true);
        this.#fake.key(stroke.keycode, true);
        for (const keycode of added.toReversed()) this.#fake.key(keycode, false);
      });
    });
    this.#held.add(stroke.keycode);
    await this.#sync();
    return stroke.keycode;
  }

  async up(keycode: number): Promise<void> {
    await this.#using(undefined, async () => {
      this.#fake.key(keycode, false);
      this.#held.delete(keycode);
      this.#note([keycode]);
      await this.#sync();
    });
  }

  /**
   * Types text; held modifiers stay held.
   * @throws DeskterityError INVALID_ARGUMENT before anything is sent, see {@link textUnits}; ACTION_NOT_SUPPORTED if the layout lacks a
   * character and no key can be borrowed; APP_UNRESPONSIVE (retryable) if the application does not read borrowed keys; CANCELLED
   */
  async type(text: string, options: TypeOptions): Promise<void> {
    const units = textUnits(text);
    const { delayMs, signal, beforeBatch, into, onTyped } = options;
    const missing = (map: KeyboardMap, from: number, to: number): readonly number[] =>
      lacking(map, units.slice(from, to), (keycode) => this.#spare.isBorrowed(keycode));
    let sent = 0;
    let isBorrowed = false;
    await this.#using(signal, async () => {
      while (sent < units.length) {
        stopIfCancelled(signal, sent > 0);
        if (sent > 0) await this.#untilShown(beforeBatch, signal);
        stopIfCancelled(signal, sent > 0);
        await beforeBatch();
        stopIfCancelled(signal, sent > 0);
        const map = await this.#read();
        // Nothing is typed unless all of it can be.
        if (sent === 0 && missing(map, 0, units.length).length > 0)
          this.#spare.require(map.xkb, this.#held, false);
        const strokes = available(map, units.slice(sent, sent + (delayMs > 0 ? 1 : BATCH)));
        if (strokes.length === 0) {
          if (isBorrowed) throw noKey(units[sent]?.character ?? '', sent > 0);
          await this.#untilRead(DEADLINE_MS, signal);
          await this.#borrow(
            map,
            missing(map, sent, sent + BATCH).map((keysym) => [keysym]),
            sent > 0,
          );
          isBorrowed = true;
          continue; // checks the target and reads the layout again
        }
        isBorrowed = false;
        await this.#aimed(into, () => {
          this.#burst(map, false, (useGroup) => {
            sendStrokes(this.#fake, map, strokes, useGroup);
          });
        });
        this.#note(strokes.map(({ keycode }) => keycode));
        await this.#sync();
        sent += strokes.length;
        onTyped?.(units[sent - 1]?.end ?? 0);
        if (delayMs > 0 && sent < units.length)
          await sleep(delayMs, undefined, { signal }).catch(() => undefined);
      }
    });
  }

  /** Restores all borrowed keys, including those of a killed process. Held keys must have been released. Never rejects. */
  async restore(): Promise<void> {
    this.#held.clear();
    await this.#limited(this.#spare.adopt()).catch(() => undefined);
    await this.#restoreKeys();
  }

  /** Runs `work`; even if it fails, borrowed keys are restored after the application has read them. */
  async #using(signal: AbortSignal | undefined, work: () => Promise<void>): Promise<void> {
    try {
      await this.#limited(this.#spare.adopt());
      await work();
      await this.#untilRead(DEADLINE_MS, signal);
    } finally {
      await this.#untilRead(LAST_WAIT_MS).catch(() => undefined);
      this.#isUnread = false;
      await this.#restoreKeys();
    }
  }

  /** A stroke for each key, borrowing keys for those that the layout lacks. */
  async #find(keys: readonly KeyName[]): Promise<{ map: KeyboardMap; strokes: readonly Stroke[] }> {
    let map = await this.#read();
    const missing = keys.filter((key) => strokeOf(map, key) === undefined);
    const modifier = missing.find(isModifier);
    if (modifier !== undefined) throw noKey(showKey(modifier), false);
    if (missing.length > 0) {
      await this.#borrow(
        map,
        missing.map((key) => keysymsOnOneKey(keysymOfKey(key))),
        false,
      );
      map = await this.#read();
    }
    const strokes = keys.map((key) => {
      const stroke = strokeOf(map, key);
      if (stroke === undefined) throw noKey(showKey(key), false);
      return stroke;
    });
    return { map, strokes };
  }

  /** Borrows keys for keysyms that the layout lacks, and lets the application notice. */
  async #borrow(
    map: KeyboardMap,
    wanted: readonly (readonly number[])[],
    isDelivered: boolean,
  ): Promise<void> {
    this.#spare.require(map.xkb, this.#held, isDelivered);
    await this.#limited(this.#spare.borrow(map.xkb, wanted, this.#held));
    const outcome = await this.#ping.send(DEADLINE_MS);
    if (outcome === 'late') throw unresponsive(DEADLINE_MS, isDelivered);
    if (outcome === 'unsupported') await sleep(NOTICING_MS);
  }

  /**
   * Resolves when what the keys so far caused, such as a dialog that takes the focus, is there to be seen, as far as that can be known. Qt replies
   * to a ping when it has read the keys, but before it handles them; while it answers the questions of a check, it handles them.
   */
  async #untilShown(check: () => Promise<void>, signal: AbortSignal | undefined): Promise<void> {
    await this.#ping.send(DEADLINE_MS, signal);
    stopIfCancelled(signal, true);
    await check();
    await this.#barrier.pass(signal);
  }

  /** Resolves when the focused application has read the borrowed keys that were sent. */
  async #untilRead(deadlineMs: number, signal?: AbortSignal): Promise<void> {
    if (!this.#isUnread) return;
    const outcome = await this.#ping.send(deadlineMs, signal);
    stopIfCancelled(signal, true);
    if (outcome === 'late') throw unresponsive(deadlineMs, true);
    await sleep(READING_MS);
    this.#isUnread = false;
  }

  async #restoreKeys(): Promise<void> {
    const isNeeded = [...this.#held].some((keycode) => this.#spare.isBorrowed(keycode));
    if (!this.#spare.hasLoans || isNeeded) return;
    const restoring = this.#read().then((map) => this.#spare.restore(map.xkb));
    // On a lost display there is nothing to restore.
    await this.#limited(restoring).catch(() => undefined);
  }

  /**
   * Sends keys in one write, without locks that would change them and in the groups that they need, then restores both.
   * Every event carries the state at its time, so it does not matter when the application reads it.
   */
  #burst(
    { state, interferingLocks }: KeyboardMap,
    keepsLocks: boolean,
    play: (useGroup: (group: number) => void) => void,
  ): void {
    const locks = keepsLocks ? 0 : interferingLocks;
    const held = state.group - state.lockedGroup - state.latchedGroup;
    let { group } = state;
    let isChanged = locks !== 0 || state.latchedMods !== 0 || state.latchedGroup !== 0;
    if (isChanged) this.#xkb.lock(locks, 0, group - held);
    play((wanted) => {
      if (wanted === group) return;
      group = wanted;
      isChanged = true;
      this.#xkb.lock(0, 0, group - held);
    });
    if (isChanged) this.#xkb.lock(locks, locks, state.lockedGroup);
  }

  /** Sends keys unless the focus is elsewhere or the time is over; then they are not sent later either, when nobody would release them. */
  async #aimed(into: number | undefined, send: () => void): Promise<void> {
    const ended = new AbortController();
    try {
      await this.#limited(whileFocused(this.#wire, into, send, ended.signal));
    } finally {
      ended.abort();
    }
  }

  #note(keycodes: readonly number[]): void {
    this.#isUnread ||= keycodes.some((keycode) => this.#spare.isBorrowed(keycode));
  }

  #read(): Promise<KeyboardMap> {
    return this.#limited(this.#xkb.read());
  }

  #sync(): Promise<void> {
    return this.#limited(this.#fake.sync());
  }

  #limited<T>(work: Promise<T>): Promise<T> {
    return this.#wire.within(work, 'using the keyboard', { deadlineMs: DEADLINE_MS });
  }
}
