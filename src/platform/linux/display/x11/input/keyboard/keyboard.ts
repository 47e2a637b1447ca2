import { setTimeout as sleep } from 'node:timers/promises';
import { isModifier, showKey } from '../../../../../../model/text/key-combination.ts';
import type { KeyCombination, KeyName } from '../../../../../../model/text/key-combination.ts';
import type { X11Wire } from '../../wire.ts';
import { withDeadline } from '../../x11-errors.ts';
import { ApplicationPulse } from '../application-pulse.ts';
import type { FakeInput } from '../fake-input.ts';
import { noKey, stopIfCancelled, unresponsive } from './keyboard-failures.ts';
import type { KeyboardMap, Stroke } from './keyboard-map.ts';
import { textUnits } from './keyboard-text.ts';
import { keysymsOnOneKey } from './keysyms.ts';
import { SpareKeycodes } from './spare-keycodes.ts';
import {
  available,
  isLocking,
  keysymOfKey,
  lacking,
  modifierKeycodes,
  playText,
  strokeOf,
} from './strokes.ts';
import { XkbRequests } from './xkb-requests.ts';

export interface TypeOptions {
  /** Time between two characters; 0 for batches at full speed. */
  readonly delayMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Awaited before each batch of characters, with `delayMs` before each one; what it throws ends the typing and is what the caller gets. */
  readonly beforeBatch: () => Promise<void>;
  /** How many code points of the text the display has taken so far. */
  readonly onTyped?: ((count: number) => void) | undefined;
}

/** Characters between two looks at where they go. */
const BATCH = 100;
const DEADLINE_MS = 5_000;
/** An application that answers no pings is given time to notice new keys. */
const NOTICING_MS = 30;
/** To read keys as well. One that answers has them, but its input method, or Chromium's page, may ask the layout about them once more. */
const READING_MS = 100;
/** What is left of the wait when typing was cut off. */
const LAST_WAIT_MS = 300;

/**
 * Keys by name and text by character, whatever the layout: by the key that bears it in the group in force, by that of another group, and else
 * by a key that bears nothing and is borrowed for it. Sends only what a held lease allows: callers own the keyboard while they call.
 */
export class Keyboard {
  readonly #wire: X11Wire;
  readonly #fake: FakeInput;
  readonly #xkb: XkbRequests;
  readonly #spare: SpareKeycodes;
  readonly #pulse: ApplicationPulse;
  readonly #held = new Set<number>();
  /** Borrowed keys were sent that the application may not have read. */
  #isUnread = false;

  private constructor(
    wire: X11Wire,
    fake: FakeInput,
    xkb: XkbRequests,
    spare: SpareKeycodes,
    pulse: ApplicationPulse,
  ) {
    this.#wire = wire;
    this.#fake = fake;
    this.#xkb = xkb;
    this.#spare = spare;
    this.#pulse = pulse;
  }

  /**
   * Changes nothing on the display but which events of the root window this client gets.
   * @param wire not one whose events of the root window somebody else chooses
   * @throws DeskterityError ACTION_NOT_SUPPORTED where the server has no X Keyboard Extension
   */
  static async open(wire: X11Wire, fake: FakeInput): Promise<Keyboard> {
    const xkb = await XkbRequests.open(wire);
    const [spare, pulse] = await Promise.all([SpareKeycodes.open(wire, xkb), ApplicationPulse.open(wire)]);
    return new Keyboard(wire, fake, xkb, spare, pulse);
  }

  /**
   * Down in order and up in reverse, in one write; resolves when the display has taken them.
   * @throws DeskterityError ACTION_NOT_SUPPORTED when no key can be had for one of them
   */
  async press(keys: KeyCombination): Promise<void> {
    await this.#using(undefined, async () => {
      const { map, strokes } = await this.#find(keys);
      const named = strokes.reduce((all, { keycode }) => all | (map.xkb.modifiers.get(keycode) ?? 0), 0);
      const present = named | map.state.baseMods;
      const keycodes = strokes.flatMap(({ keycode, modifiers }) => [
        ...modifierKeycodes(map, modifiers & ~present),
        keycode,
      ]);
      const pressed = [...new Set(keycodes)].filter((keycode) => !this.#held.has(keycode));
      this.#burst(map, keys.some(isLocking), (useGroup) => {
        useGroup(strokes.at(-1)?.group ?? map.state.group);
        for (const keycode of pressed) this.#fake.key(keycode, true);
        for (const keycode of pressed.toReversed()) this.#fake.key(keycode, false);
      });
      this.#note(pressed);
      await this.#sync();
    });
  }

  /**
   * Holds a key down; what it gives is kept for it until {@link up}.
   * @returns its keycode
   * @throws DeskterityError ACTION_NOT_SUPPORTED when no key can be had for it
   */
  async down(key: KeyName): Promise<number> {
    await this.#ask(this.#spare.adopt());
    const {
      map,
      strokes: [stroke],
    } = await this.#find([key]);
    if (stroke === undefined) throw noKey(showKey(key), false);
    const added = modifierKeycodes(map, stroke.modifiers & ~map.state.baseMods);
    this.#burst(map, isLocking(key), (useGroup) => {
      useGroup(stroke.group);
      for (const keycode of added) this.#fake.key(keycode, true);
      this.#fake.key(stroke.keycode, true);
      for (const keycode of added.toReversed()) this.#fake.key(keycode, false);
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
   * Types text; modifiers that are held stay held.
   * @throws DeskterityError INVALID_ARGUMENT before anything is sent, see {@link textUnits}; ACTION_NOT_SUPPORTED when the layout lacks a character
   * and no key can be borrowed; APP_UNRESPONSIVE (retryable) when the application does not read what borrowed keys sent; CANCELLED
   */
  async type(text: string, options: TypeOptions): Promise<void> {
    const units = textUnits(text);
    const { delayMs, signal, beforeBatch, onTyped } = options;
    const missing = (map: KeyboardMap, from: number, to: number): readonly number[] =>
      lacking(map, units.slice(from, to), (keycode) => this.#spare.isBorrowed(keycode));
    let sent = 0;
    let isBorrowed = false;
    await this.#using(signal, async () => {
      while (sent < units.length) {
        stopIfCancelled(signal, sent > 0);
        await beforeBatch();
        stopIfCancelled(signal, sent > 0);
        const map = await this.#read();
        // What cannot be typed whole is not begun.
        if (sent === 0 && missing(map, 0, units.length).length > 0)
          this.#spare.demand(map.xkb, this.#held, false);
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
          continue; // where it goes is looked at again, and the layout too
        }
        isBorrowed = false;
        this.#burst(map, false, (useGroup) => {
          playText(this.#fake, map, strokes, useGroup);
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

  /** Gives back all borrowed keys, those of a process that was killed too; once what was held is released. Never rejects. */
  async restore(): Promise<void> {
    this.#held.clear();
    await this.#ask(this.#spare.adopt()).catch(() => undefined);
    await this.#giveBack();
  }

  /** Whatever `work` does or fails to do, borrowed keys are given back after the application has read them. */
  async #using(signal: AbortSignal | undefined, work: () => Promise<void>): Promise<void> {
    try {
      await this.#ask(this.#spare.adopt());
      await work();
      await this.#untilRead(DEADLINE_MS, signal);
    } finally {
      await this.#untilRead(LAST_WAIT_MS).catch(() => undefined);
      this.#isUnread = false;
      await this.#giveBack();
    }
  }

  /** A stroke for each key, with keys borrowed for what no key bears. */
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

  /** Lends keys to what the layout itself has not, and lets the application notice. */
  async #borrow(
    map: KeyboardMap,
    wanted: readonly (readonly number[])[],
    isDelivered: boolean,
  ): Promise<void> {
    this.#spare.demand(map.xkb, this.#held, isDelivered);
    await this.#ask(this.#spare.borrow(map.xkb, wanted, this.#held));
    const answer = await this.#pulse.beat(DEADLINE_MS);
    if (answer === 'late') throw unresponsive(DEADLINE_MS, isDelivered);
    if (answer === 'none') await sleep(NOTICING_MS);
  }

  /** Resolves when the application with the focus has read the borrowed keys that were sent. */
  async #untilRead(deadlineMs: number, signal?: AbortSignal): Promise<void> {
    if (!this.#isUnread) return;
    const answer = await this.#pulse.beat(deadlineMs, signal);
    stopIfCancelled(signal, true);
    if (answer === 'late') throw unresponsive(deadlineMs, true);
    await sleep(READING_MS);
    this.#isUnread = false;
  }

  async #giveBack(): Promise<void> {
    const isNeeded = [...this.#held].some((keycode) => this.#spare.isBorrowed(keycode));
    if (!this.#spare.hasLoans || isNeeded) return;
    const giving = this.#read().then((map) => this.#spare.giveBack(map.xkb));
    // A display that is gone has nothing to be given back to.
    await this.#ask(giving).catch(() => undefined);
  }

  /**
   * Plays keys in one write, without the locks that would turn them around and with the groups that they need; both are put back behind them.
   * Every event carries the state it was sent under, so it does not matter when the application reads it.
   */
  #burst(
    { state, disturbingLocks }: KeyboardMap,
    keepsLocks: boolean,
    play: (useGroup: (group: number) => void) => void,
  ): void {
    const locks = keepsLocks ? 0 : disturbingLocks;
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

  #note(keycodes: readonly number[]): void {
    this.#isUnread ||= keycodes.some((keycode) => this.#spare.isBorrowed(keycode));
  }

  #read(): Promise<KeyboardMap> {
    return this.#ask(this.#xkb.read());
  }

  #sync(): Promise<void> {
    return this.#ask(this.#fake.sync());
  }

  #ask<T>(work: Promise<T>): Promise<T> {
    return withDeadline(work, this.#wire.display, 'using the keyboard', { deadlineMs: DEADLINE_MS });
  }
}
