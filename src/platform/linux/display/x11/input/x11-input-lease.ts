import { showKey, showKeyCombination } from '../../../../../model/text/key-combination.ts';
import type { KeyCombination, KeyName } from '../../../../../model/text/key-combination.ts';
import type { CallOptions } from '../../../../../ports/desktop.ts';
import type {
  ClickOptions,
  InputLease,
  MouseButton,
  Point,
  TypingOptions,
} from '../../../../../ports/input.ts';
import type { ServerClock } from '../server-clock.ts';
import type { Grip } from './grip.ts';
import {
  BUTTON_NUMBERS,
  finishClick,
  movePointer,
  readPointer,
  requireInPlace,
  turnWheel,
} from './pointer.ts';

/** Keyboard and pointer leased to one caller; see {@link Grip}. */
export class X11InputLease implements InputLease {
  readonly #grip: Grip;
  readonly #clock: ServerClock;
  #isBack = false;

  /** @param grip lent to this caller */
  constructor(grip: Grip, clock: ServerClock) {
    this.#grip = grip;
    this.#clock = clock;
  }

  get held(): readonly string[] {
    return this.#grip.held;
  }

  get pressedAtMs(): number | undefined {
    const { pressedAt } = this.#grip;
    return pressedAt === undefined ? undefined : this.#clock.milliseconds(pressedAt);
  }

  press(keys: KeyCombination, options: CallOptions): Promise<void> {
    return this.#grip.run(`pressing ${showKeyCombination(keys)}`, options, ({ keyboard }) =>
      keyboard.press(keys),
    );
  }

  keyDown(key: KeyName, options: CallOptions): Promise<void> {
    return this.#grip.run(`pressing ${showKey(key)}`, options, async ({ keyboard }) => {
      this.#grip.name(await keyboard.down(key), showKey(key));
    });
  }

  keyUp(key: KeyName, options: CallOptions): Promise<void> {
    return this.#grip.run(`releasing ${showKey(key)}`, options, async ({ keyboard }) => {
      const keycode = this.#grip.keycodeOf(showKey(key));
      if (keycode !== undefined) await keyboard.up(keycode);
    });
  }

  type(text: string, { delayMs, check, onTyped, ...options }: TypingOptions): Promise<void> {
    return this.#grip.run('typing', options, ({ keyboard, signal, quiet }) =>
      keyboard.type(text, {
        delayMs,
        signal,
        onTyped,
        beforeBatch: async () => {
          // What is true of the window may change while the user's hands are waited for, and those may come back while that is asked.
          do {
            await quiet();
            await check();
          } while (await quiet());
        },
      }),
    );
  }

  moveTo(
    point: Point,
    { durationMs = 0, ...options }: CallOptions & { readonly durationMs?: number | undefined },
  ): Promise<void> {
    return this.#grip.run('moving the pointer', options, async (work) => {
      this.#grip.place = await movePointer(this.#wire, point, durationMs, work);
    });
  }

  click(button: MouseButton, count: number, { check, ...options }: ClickOptions): Promise<void> {
    return this.#grip.run(`pressing the ${button} button`, options, async ({ fake }) => {
      requireInPlace(this.#grip.place, await readPointer(this.#wire));
      const number = BUTTON_NUMBERS[button];
      fake.button(number, true);
      if (check !== undefined) {
        await fake.sync();
        await check().catch((error: unknown) => {
          // Let go where it presses nothing, with all else that this call holds.
          fake.motion(0, 0);
          throw error;
        });
      }
      finishClick(fake, number, count);
    });
  }

  buttonDown(button: MouseButton, options: CallOptions): Promise<void> {
    return this.#grip.run(`pressing the ${button} button`, options, async ({ fake }) => {
      requireInPlace(this.#grip.place, await readPointer(this.#wire));
      fake.button(BUTTON_NUMBERS[button], true);
    });
  }

  buttonUp(button: MouseButton, options: CallOptions): Promise<void> {
    return this.#grip.run(`releasing the ${button} button`, options, async ({ fake }) => {
      fake.button(BUTTON_NUMBERS[button], false);
    });
  }

  wheel(notches: { readonly x: number; readonly y: number }, options: CallOptions): Promise<void> {
    return this.#grip.run('turning the wheel', options, async (work) => {
      requireInPlace(this.#grip.place, await readPointer(this.#wire));
      await turnWheel(notches, work);
    });
  }

  async giveBack({ keep }: { readonly keep: boolean } = { keep: false }): Promise<void> {
    if (this.#isBack) return;
    this.#isBack = true;
    await this.#grip.giveBack(keep);
  }

  get #wire(): Grip['connection']['wire'] {
    return this.#grip.connection.wire;
  }
}
