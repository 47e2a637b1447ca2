import { setTimeout as sleep } from 'node:timers/promises';
import { showKey, showKeyCombination } from '../../../../../model/text/key-combination.ts';
import type { KeyCombination, KeyName } from '../../../../../model/text/key-combination.ts';
import type { CallOptions } from '../../../../../ports/call-options.ts';
import type {
  ClickOptions,
  InputLease,
  KeyOptions,
  PressKeyOptions,
  MouseButton,
  Point,
  PressOptions,
  TypingOptions,
} from '../../../../../ports/input.ts';
import { readRootState } from '../root-state.ts';
import type { ServerClock } from '../server-clock.ts';
import { windowIdOf, windowIn } from '../windows/window-id.ts';
import { listTopLevels } from '../windows/window-list.ts';
import type { ActiveLease, LeaseTools } from './active-lease.ts';
import {
  BUTTON_NUMBERS,
  finishClick,
  HOLD_MS,
  movePointer,
  readPointer,
  requireInPlace,
  FIRST_PRESS_MS,
  turnWheel,
} from './pointer.ts';
import { untilPopup } from './until-popup.ts';
import { movedAway, whileInPlace, whileUnder, windowUnder } from './while-under.ts';

/** How long a button stays down, at most, because another program has the keyboard of the user. */
const RELEASE_MS = 500;

/** Keyboard and pointer leased to one caller; see {@link ActiveLease}. */
export class X11InputLease implements InputLease {
  readonly #lease: ActiveLease;
  readonly #clock: ServerClock;
  #isReleased = false;
  /** The windows that existed when the lease began: what is created from then on is about to be shown. */
  readonly #atTake: Promise<ReadonlySet<number>>;
  /** The windows that existed, shown or not, when the pointer first went where the next click goes. */
  #atAim: ReadonlySet<number> | undefined;
  /** The popups that were open when it was looked under the pointer last. */
  #popupsAtAim: Promise<number[]> | undefined;

  /** @param lease retained for this caller */
  constructor(lease: ActiveLease, clock: ServerClock) {
    this.#lease = lease;
    this.#clock = clock;
    this.#atTake = this.#existing().catch(() => new Set());
  }

  get held(): readonly string[] {
    return this.#lease.held;
  }

  get pressedAtMs(): number | undefined {
    const { pressedAt } = this.#lease;
    return pressedAt === undefined ? undefined : this.#clock.milliseconds(pressedAt);
  }

  get releasedAtMs(): number | undefined {
    const { releasedAt } = this.#lease;
    return releasedAt === undefined ? undefined : this.#clock.milliseconds(releasedAt);
  }

  press(keys: KeyCombination, { into, onReleased, ...options }: PressKeyOptions): Promise<void> {
    return this.#lease.run(`pressing ${showKeyCombination(keys)}`, options, async ({ keyboard }) => {
      const earlier = await this.#atTake;
      let windows: Promise<readonly string[]> | undefined;
      await keyboard.press(keys, windowIn(into), () => {
        if (onReleased) windows = this.#windowsSince(earlier);
      });
      onReleased?.({ windows: (await windows) ?? [] });
    });
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
    const move = async (tools: LeaseTools): Promise<void> => {
      const [pointer, atAim] = await Promise.all([
        this.#lease.connection.keepingUnder(
          point,
          () => movePointer(this.#wire, point, durationMs, tools),
          tools.signal,
        ),
        this.#atAim ?? this.#existing(),
      ]);
      this.#lease.pointer = pointer;
      this.#atAim = atAim;
    };
    return this.#lease.run('moving the pointer', options, move, { presses: false });
  }

  under(options: CallOptions): Promise<string> {
    const look = () => {
      // Asked for beside the callers' last check, because what takes time after it is time in which the target can move.
      this.#popupsAtAim = listTopLevels(this.#wire, true).catch(() => []);
      return windowUnder(this.#wire);
    };
    return this.#lease.run('looking under the pointer', options, look, { presses: false });
  }

  click(button: MouseButton, count: number, options: ClickOptions): Promise<void> {
    const { check, onReleased, onto, ...call } = options;
    return this.#lease.run(`pressing the ${button} button`, call, async ({ fake, signal }) => {
      const earlier = this.#atAim ?? (await this.#existing());
      this.#atAim = undefined;
      const isForMenu = button === 'right' && count === 1 && check === undefined;
      const shownBefore = isForMenu ? await (this.#popupsAtAim ?? listTopLevels(this.#wire, true)) : [];
      this.#popupsAtAim = undefined;
      const number = BUTTON_NUMBERS[button];
      let under: Promise<{ readonly child: number } | undefined> | undefined;
      await this.#keepingFocus(signal, () =>
        this.#pressed(onto, signal, () => {
          under = this.#whatIsUnder();
          fake.button(number, true);
        }),
      );
      // Not by the display, which another client may not use while the rest of a click is sent; an aborted call ends its click, too.
      if (isForMenu) await untilPopup(this.#wire, shownBefore);
      else if (check === undefined) await sleep(FIRST_PRESS_MS);
      if (check !== undefined) {
        // What happens after the check and before the release, nobody sees: the button has been down long enough by then.
        await sleep(HOLD_MS);
        await check().catch((error: unknown) => {
          // Released in the corner, where it clicks nothing, together with everything else this call holds.
          fake.motion(0, 0);
          throw error;
        });
      }
      const atRelease = onReleased && this.#windowsSince(earlier);
      if (onReleased) this.#lease.connection.held.tellTime();
      // Once the last press is there, what is under the pointer may be another because the click worked.
      let underLast = under;
      const finish = (): Promise<boolean> =>
        whileInPlace(this.#wire, onto, () =>
          finishClick(fake, number, count, {
            beforeLast: () => {
              underLast = this.#whatIsUnder();
            },
          }),
        );
      // Each further press makes the window active again.
      const isFinished = await (count === 1 ? finish() : this.#keepingFocus(signal, finish));
      if (!isFinished) {
        fake.motion(0, 0);
        throw movedAway();
      }
      if (atRelease === undefined) return;
      const windows = await atRelease;
      onReleased?.({ windows, hasStrayed: (await under)?.child !== (await underLast)?.child });
    });
  }

  buttonDown(button: MouseButton, { onto, ...options }: PressOptions): Promise<void> {
    return this.#lease.run(`pressing the ${button} button`, options, ({ fake, signal }) =>
      this.#keepingFocus(signal, () =>
        this.#pressed(onto, signal, () => {
          fake.button(BUTTON_NUMBERS[button], true);
        }),
      ),
    );
  }

  buttonUp(button: MouseButton, options: CallOptions): Promise<void> {
    return this.#lease.run(`releasing the ${button} button`, options, async ({ fake, signal }) => {
      let isUp = false;
      const release = async (): Promise<void> => {
        isUp = true;
        fake.button(BUTTON_NUMBERS[button], false);
      };
      // What is dropped on a window may make it active. Releasing is possible even while nobody can prevent that.
      const soon = AbortSignal.any([signal, AbortSignal.timeout(RELEASE_MS)]);
      try {
        await this.#keepingFocus(soon, release);
      } catch (error) {
        if (isUp) throw error;
        await release();
      }
    });
  }

  wheel(notches: { readonly x: number; readonly y: number }, options: CallOptions): Promise<void> {
    return this.#lease.run('turning the wheel', options, async (tools) => {
      requireInPlace(this.#lease.pointer, await readPointer(this.#wire));
      await this.#lease.connection.keepingUnder(undefined, () => turnWheel(notches, tools), tools.signal);
    });
  }

  async endLease({ keep }: { readonly keep: boolean } = { keep: false }): Promise<void> {
    if (this.#isReleased) return;
    this.#isReleased = true;
    await this.#lease.release(keep);
  }

  #pressed(onto: string | undefined, signal: AbortSignal, press: () => void): Promise<void> {
    const at = { point: this.#lease.pointer, under: onto };
    return whileUnder(this.#wire, at, press, signal);
  }

  #keepingFocus<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    return this.#lease.connection.keepingFocus(work, signal);
  }

  /** Ids of the open windows, and of those that have been created since `earlier`. */
  async #windowsSince(earlier: ReadonlySet<number>): Promise<readonly string[]> {
    const [tree, { clients = [] }] = await Promise.all([
      this.#wire.tryCall('QueryTree', this.#wire.root),
      readRootState(this.#wire),
    ]);
    const created = (tree?.children ?? []).filter((window) => !earlier.has(window));
    return [...clients, ...created].map((window) => windowIdOf(window));
  }

  #whatIsUnder() {
    return this.#wire.tryCall('QueryPointer', this.#wire.root);
  }

  async #existing(): Promise<ReadonlySet<number>> {
    return new Set((await this.#wire.tryCall('QueryTree', this.#wire.root))?.children);
  }

  get #wire(): ActiveLease['connection']['wire'] {
    return this.#lease.connection.wire;
  }
}
