import { setTimeout as sleep } from 'node:timers/promises';
import { DeskterityError } from '../../../../../model/effects/errors.ts';
import { liveDeadline } from '../../../../../model/live-deadline.ts';
import { mentionCommand, mentionParameter } from '../../../../../model/text/mention.ts';
import {
  showKey,
  showKeyCombination,
  type KeyCombination,
  type KeyName,
} from '../../../../../model/text/key-combination.ts';
import type { CallOptions } from '../../../../../ports/call-options.ts';
import type {
  ClickOptions,
  InputLease,
  KeyOptions,
  MouseButton,
  Point,
  PressKeyOptions,
  PressOptions,
  TypingOptions,
} from '../../../../../ports/input.ts';
import { textUnits, type TextUnit } from '../../keys/keyboard-text.ts';
import type { FocusedWindow, InputDevices } from './devices.ts';
import type { LeaseTools, OpenLease } from './open-lease.ts';
import { untilRead } from './until-read.ts';

/** What an application can take at once, see {@link untilRead}. */
const CHARACTERS_AT_ONCE = 16;
/** Programs that poll the mouse, as games do, would miss a shorter press. */
const HOLD_MS = 10;
/** A quick hand. Lists of GTK 4 lose shorter clicks, and Chromium marks all of its address bar if the button is up before the context menu opens. */
const FIRST_PRESS_MS = 60;
const STEP_MS = 10;
/** Of all motion between two frames, applications may notice only the last. */
const FRAME_MS = 30;
const MAX_NOTCHES = 1000;
const NOTCHES_AT_ONCE = 10;

/** Beyond all screens, so the nearest point of them. The upper left corner shows all windows on GNOME and KDE, even if the button was pressed elsewhere. */
const LOWER_RIGHT_CORNER = { x: 1_000_000, y: 1_000_000 };

/** Keyboard and pointer leased to one caller; see {@link OpenLease}. */
export class WaylandInputLease implements InputLease {
  readonly #lease: OpenLease;
  readonly #devices: InputDevices;
  #isReleased = false;
  readonly pressedAtMs = undefined;
  readonly releasedAtMs = undefined;

  /** @param lease retained for this caller */
  constructor(lease: OpenLease, devices: InputDevices) {
    this.#lease = lease;
    this.#devices = devices;
  }

  get held(): readonly string[] {
    return this.#lease.held;
  }

  press(keys: KeyCombination, { into, onReleased, ...call }: PressKeyOptions): Promise<void> {
    return this.#run(`pressing ${showKeyCombination(keys)}`, call, async ({ devices }, options) => {
      devices().provide(keys);
      await this.#requireFocus(into, options);
      const windows = onReleased && this.#devices.openWindows(options).catch(() => []);
      for (const key of keys) devices().key(key, true);
      for (const key of keys.toReversed()) devices().key(key, false);
      if (windows) onReleased({ windows: await windows });
    });
  }

  keyDown(key: KeyName, { into, ...call }: KeyOptions): Promise<void> {
    return this.#run(`pressing ${showKey(key)}`, call, async ({ devices }, options) => {
      devices().provide([key]);
      await this.#requireFocus(into, options);
      devices().key(key, true);
    });
  }

  keyUp(key: KeyName, call: CallOptions): Promise<void> {
    return this.#run(`releasing ${showKey(key)}`, call, async ({ devices }) => {
      if (this.#devices.held.includes(showKey(key))) devices().key(key, false);
    });
  }

  type(text: string, { delayMs, check, into, onTyped, ...call }: TypingOptions): Promise<void> {
    return this.#run('typing', call, async ({ devices, signal }, options) => {
      const units = textUnits(text);
      // Before any of it is typed.
      this.#devices.requireKeys?.(units.map(keyOf));
      let receiver = await this.#devices.focusedWindow(options);
      for (let sent = 0; sent < units.length;) {
        if (delayMs === 0 || sent % CHARACTERS_AT_ONCE === 0)
          await untilRead(this.#devices, receiver?.pid, options, signal);
        const batch = delayMs > 0 ? units.slice(sent, sent + 1) : this.#batch(units, sent);
        sent += batch.length;
        const keys = batch.map(keyOf);
        devices().provide(keys);
        await check();
        receiver = (await this.#requireFocus(into, options)) ?? receiver;
        for (const key of keys) {
          devices().key(key, true);
          devices().key(key, false);
        }
        await this.#devices.synced();
        onTyped?.(batch.at(-1)?.end ?? 0);
        if (delayMs > 0 && sent < units.length) await sleep(delayMs, undefined, { signal });
      }
    });
  }

  moveTo(
    to: Point,
    { durationMs = 0, ...call }: CallOptions & { readonly durationMs?: number | undefined },
  ): Promise<void> {
    return this.#run('moving the pointer', call, async ({ devices, signal }) => {
      const from = this.#devices.pointer ?? to;
      if (from.x === to.x && from.y === to.y) {
        // GTK 4 learns from motion what is under the pointer, and loses a press that comes without any after a popup closed there.
        await devices().moveTo({ x: to.x > 0 ? to.x - 1 : to.x + 1, y: to.y });
        await sleep(FRAME_MS, undefined, { signal });
      }
      const steps = Math.max(1, Math.floor(durationMs / STEP_MS));
      for (let step = 1; step <= steps; step++) {
        if (step > 1) await sleep(durationMs / steps, undefined, { signal });
        const part = step / steps;
        await devices().moveTo({ x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part });
      }
    });
  }

  under(call: CallOptions): Promise<string | undefined> {
    return this.#run('looking under the pointer', call, async (_tools, options) => {
      const { pointer } = this.#devices;
      return pointer && this.#devices.windowAt(pointer, options);
    });
  }

  click(
    button: MouseButton,
    count: number,
    { check, onReleased, onto, ...call }: ClickOptions,
  ): Promise<void> {
    return this.#run(`pressing the ${button} button`, call, async ({ devices, signal }, options) => {
      const under = await this.#requireUnder(onto, options);
      devices().button(button, true);
      await this.#devices.synced();
      await sleep(check === undefined ? FIRST_PRESS_MS : HOLD_MS, undefined, { signal });
      if (check !== undefined)
        await check().catch(async (error: unknown) => {
          // Released elsewhere, where it clicks nothing, together with everything else this call holds.
          await this.#devices.moveTo(LOWER_RIGHT_CORNER);
          throw error;
        });
      const windows = onReleased && (await this.#devices.openWindows(options));
      const underLast = onReleased && (await this.#windowAtPointer(options));
      devices().button(button, false);
      for (let press = 2; press <= count; press++) {
        devices().button(button, true);
        devices().button(button, false);
      }
      if (windows) onReleased({ windows, hasStrayed: under !== undefined && underLast !== under });
    });
  }

  buttonDown(button: MouseButton, { onto, ...call }: PressOptions): Promise<void> {
    return this.#run(`pressing the ${button} button`, call, async ({ devices }, options) => {
      await this.#requireUnder(onto, options);
      devices().button(button, true);
    });
  }

  buttonUp(button: MouseButton, call: CallOptions): Promise<void> {
    return this.#run(`releasing the ${button} button`, call, async ({ devices }) =>
      devices().button(button, false),
    );
  }

  wheel({ x, y }: { readonly x: number; readonly y: number }, call: CallOptions): Promise<void> {
    return this.#run('turning the wheel', call, async ({ devices }) => {
      for (const [axis, wanted] of [
        ['y', y],
        ['x', x],
      ] as const) {
        const notches = Math.min(MAX_NOTCHES, Math.round(Math.abs(wanted)));
        for (let notch = 1; notch <= notches; notch++) {
          devices().notch(axis, wanted < 0 ? -1 : 1);
          if (notch % NOTCHES_AT_ONCE === 0) await this.#devices.synced();
        }
      }
    });
  }

  /** The next characters that can be typed with one keymap. */
  #batch(units: readonly TextUnit[], from: number): readonly TextUnit[] {
    const spare = new Set<string>();
    let end = from;
    for (; end < units.length && end - from < CHARACTERS_AT_ONCE; end++) {
      const text = units[end]?.character ?? '';
      if (this.#devices.isSpare({ kind: 'character', text })) spare.add(text);
      if (spare.size > this.#devices.mostProvided) break;
    }
    return units.slice(from, end);
  }

  async endLease({ keep }: { readonly keep: boolean } = { keep: false }): Promise<void> {
    if (this.#isReleased) return;
    this.#isReleased = true;
    await this.#lease.release(keep);
  }

  #run<T>(
    doing: string,
    call: CallOptions,
    work: (tools: LeaseTools, options: CallOptions) => Promise<T>,
  ): Promise<T> {
    const options = liveDeadline(call, performance);
    return this.#lease.run(doing, options, (tools) => work(tools, options));
  }

  /** @returns the window, if one is required */
  async #requireFocus(into: string | undefined, options: CallOptions): Promise<FocusedWindow | undefined> {
    if (into === undefined) return undefined;
    const focused = await this.#devices.focusedWindow(options);
    if (focused?.id === into) return focused;
    throw new DeskterityError('NOT_ACTIONABLE', 'Another window has taken the keyboard focus.', {
      suggestion: `Run ${mentionCommand('list-windows')}, and name the window that should receive the keys: ${mentionParameter('app', 'NAME')}.`,
      delivered: false,
      retryable: true,
    });
  }

  /** @returns what is there */
  async #requireUnder(onto: string | undefined, options: CallOptions): Promise<string | undefined> {
    const under = await this.#windowAtPointer(options);
    if (onto === undefined || under === onto) return under;
    throw new DeskterityError(
      'NOT_ACTIONABLE',
      'Something else came under the pointer, or its window was moved, just before the button was pressed.',
      { suggestion: 'Look at what is there now, and repeat the command.', delivered: false, retryable: true },
    );
  }

  async #windowAtPointer(options: CallOptions): Promise<string | undefined> {
    const { pointer } = this.#devices;
    return pointer && this.#devices.windowAt(pointer, options);
  }
}

function keyOf({ character }: TextUnit): KeyName {
  return { kind: 'character', text: character };
}
