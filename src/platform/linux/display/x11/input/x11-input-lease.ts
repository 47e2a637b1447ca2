import { setTimeout as sleep } from 'node:timers/promises';
import { showKey, showKeyCombination } from '../../../../../model/text/key-combination.ts';
import type { KeyCombination, KeyName } from '../../../../../model/text/key-combination.ts';
import type { CallOptions } from '../../../../../ports/call-options.ts';
import type {
  ClickOptions,
  InputLease,
  KeyOptions,
  MouseButton,
  Point,
  TypingOptions,
} from '../../../../../ports/input.ts';
import { readRootState } from '../root-state.ts';
import type { ServerClock } from '../server-clock.ts';
import { windowIdOf, windowIn } from '../windows/window-id.ts';
import type { ActiveLease } from './active-lease.ts';
import {
  BUTTON_NUMBERS,
  finishClick,
  HOLD_MS,
  movePointer,
  readPointer,
  requireInPlace,
  turnWheel,
} from './pointer.ts';

/** Keyboard and pointer leased to one caller; see {@link ActiveLease}. */
export class X11InputLease implements InputLease {
  readonly #lease: ActiveLease;
  readonly #clock: ServerClock;
  #isReleased = false;

  /** @param lease retained for this caller */
  constructor(lease: ActiveLease, clock: ServerClock) {
    this.#lease = lease;
    this.#clock = clock;
  }

  get held(): readonly string[] {
    return this.#lease.held;
  }

  get pressedAtMs(): number | undefined {
    const { pressedAt } = this.#lease;
    return pressedAt === undefined ? undefined : this.#clock.milliseconds(pressedAt);
  }

  press(keys: KeyCombination, { into, ...options }: KeyOptions): Promise<void> {
    return this.#lease.run(`pressing ${showKeyCombination(keys)}`, options, ({ keyboard }) =>
      keyboard.press(keys, windowIn(into)),
    );
  }

  keyDown(key: KeyName, { into, ...options }: KeyOptions): Promise<void> {
    return this.#lease.run(`pressing ${showKey(key)}`, options, async ({ keyboard }) => {
      this.#lease.name(await keyboard.down(key, windowIn(into)), showKey(key));
    });
  }

  keyUp(key: KeyName, options: CallOptions): Promise<void> {
    return this.#lease.run(`releasing ${showKey(key)}`, options, async ({ keyboard }) => {
      const keycode = this.#lease.keycodeOf(showKey(key));
      if (keycode !== undefined) await keyboard.up(keycode);
    });
  }

  type(text: string, { delayMs, check, into, onTyped, ...options }: TypingOptions): Promise<void> {
    return this.#lease.run('typing', options, ({ keyboard, signal, untilUserIdle }) =>
      keyboard.type(text, {
        delayMs,
        signal,
        into: windowIn(into),
        onTyped,
        beforeBatch: async () => {
          // The window may change while we wait for the user, and the user may become active during the check.
          do {
            await untilUserIdle();
            await check();
          } while (await untilUserIdle());
        },
      }),
    );
  }

  moveTo(
    point: Point,
    { durationMs = 0, ...options }: CallOptions & { readonly durationMs?: number | undefined },
  ): Promise<void> {
    return this.#lease.run('moving the pointer', options, async (tools) => {
      this.#lease.pointer = await movePointer(this.#wire, point, durationMs, tools);
    });
  }

  click(button: MouseButton, count: number, options: ClickOptions): Promise<void> {
    const { check, onReleased, ...call } = options;
    return this.#lease.run(`pressing the ${button} button`, call, async ({ fake }) => {
      requireInPlace(this.#lease.pointer, await readPointer(this.#wire));
      const number = BUTTON_NUMBERS[button];
      const under = this.#wire.tryCall('QueryPointer', this.#wire.root);
      fake.button(number, true);
      const atPress = check && this.#wire.tryCall('QueryTree', this.#wire.root);
      if (check !== undefined) {
        // What happens after the check and before the release, nobody sees: the button has been down long enough by then.
        await sleep(HOLD_MS);
        await check().catch((error: unknown) => {
          // Released in the corner, where it clicks nothing, together with everything else this call holds.
          fake.motion(0, 0);
          throw error;
        });
      }
      const atRelease =
        onReleased &&
        Promise.all([this.#wire.tryCall('QueryTree', this.#wire.root), readRootState(this.#wire)]);
      finishClick(fake, number, count, check === undefined ? undefined : 0);
      if (atRelease === undefined) return;
      const underNow = this.#wire.tryCall('QueryPointer', this.#wire.root);
      const earlier = new Set((await atPress)?.children);
      const [tree, { clients = [] }] = await atRelease;
      const created = (tree?.children ?? []).filter((window) => !earlier.has(window));
      const windows = [...clients, ...created].map((window) => windowIdOf(window));
      onReleased?.({ windows, hasStrayed: (await under)?.child !== (await underNow)?.child });
    });
  }

  buttonDown(button: MouseButton, options: CallOptions): Promise<void> {
    return this.#lease.run(`pressing the ${button} button`, options, async ({ fake }) => {
      requireInPlace(this.#lease.pointer, await readPointer(this.#wire));
      fake.button(BUTTON_NUMBERS[button], true);
    });
  }

  buttonUp(button: MouseButton, options: CallOptions): Promise<void> {
    return this.#lease.run(`releasing the ${button} button`, options, async ({ fake }) => {
      fake.button(BUTTON_NUMBERS[button], false);
    });
  }

  wheel(notches: { readonly x: number; readonly y: number }, options: CallOptions): Promise<void> {
    return this.#lease.run('turning the wheel', options, async (tools) => {
      requireInPlace(this.#lease.pointer, await readPointer(this.#wire));
      await turnWheel(notches, tools);
    });
  }

  async endLease({ keep }: { readonly keep: boolean } = { keep: false }): Promise<void> {
    if (this.#isReleased) return;
    this.#isReleased = true;
    await this.#lease.release(keep);
  }

  get #wire(): ActiveLease['connection']['wire'] {
    return this.#lease.connection.wire;
  }
}
