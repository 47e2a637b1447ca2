import { setTimeout as sleep } from 'node:timers/promises';
import { DeskterityError } from '../../../../../model/effects/errors.ts';
import type { CallOptions } from '../../../../../ports/desktop.ts';
import type { X11Wire } from '../wire.ts';
import type { XEvent } from '../x11-library.ts';
import type { SentEvent } from './fake-input.ts';
import { buttonCode } from './held-input.ts';
import { isKeyboardChange } from './keyboard/keyboard-changes.ts';

/** Timers may fire a little before their time. */
const EARLY_MS = 5;
/** For so long nothing of the user must have come before anything is sent: they may pause for a thought in the middle of a word. */
export const QUIET_MS = 700;
/** How often it is looked whether the user still holds a button or a modifier, which sends no events. */
const LOOK_AGAIN_MS = 50;
/** Clocks of processes and of the server are read one after the other. */
const SAME_MOMENT_MS = 50;
const ALL_MASTER_DEVICES = 1;
const EVENTS = ['RawKeyPress', 'RawKeyRelease', 'RawButtonPress', 'RawButtonRelease', 'RawMotion'];
/** Of QueryPointer's mask. */
const BUTTON_MASKS = [
  [0x100, 1],
  [0x200, 2],
  [0x400, 3],
] as const;

/**
 * What comes from keyboards and pointers that we did not send: the user's own hands, or another program's. Told from our own events by counting:
 * the server reports each event once, in order, so an event beyond those that we sent is somebody else's.
 */
export class UserActivity {
  readonly #wire: X11Wire;
  /** Sent, and not reported yet. */
  readonly #expected: string[] = [];
  #lastAt = Number.NEGATIVE_INFINITY;
  #isListening = false;
  #modifiers: readonly number[] | undefined;

  constructor(wire: X11Wire) {
    this.#wire = wire;
    wire.onEvent((event) => {
      this.#see(event);
    });
  }

  /**
   * Listens from now on.
   * @param ownAt when Deskterity, in whatever process, last sent something here, by the clock (Date.now)
   */
  async start(ownAt: number | undefined): Promise<void> {
    this.#isListening = true;
    this.#expected.length = 0;
    await this.#select(EVENTS);
    const idleMs = await this.#idleMs();
    if (idleMs === undefined || Date.now() - idleMs <= (ownAt ?? 0) + SAME_MOMENT_MS) return;
    this.#lastAt = Math.max(this.#lastAt, performance.now() - idleMs);
  }

  /** Servers without version 2 of the X Input Extension tell nobody about the user's hands. */
  async isSeen(): Promise<boolean> {
    return Boolean((await this.#wire.extension('xinput'))?.xi2);
  }

  /** A mouse that is moved makes a thousand events a second: nobody listens who does not act. */
  stop(): void {
    this.#isListening = false;
    this.#select([]).catch(() => undefined);
  }

  beforeSend(event: SentEvent): void {
    if (this.#isListening) this.#expected.push(keyOf(event));
  }

  /** After the server has answered something that was asked later than all that was sent: what was not reported never will be. */
  forget(): void {
    this.#expected.length = 0;
  }

  /**
   * Resolves when the user's hands are off, with whether that had to be waited for.
   * @param held what we ourselves hold down
   * @throws DeskterityError CONFLICT (retryable) when they were not in time
   */
  async quiet({ deadlineMs, signal }: CallOptions, held: readonly number[]): Promise<boolean> {
    const end = performance.now() + deadlineMs;
    for (let hasWaited = false; ; hasWaited = true) {
      // First the question: with its answer all that the server had to report before has come.
      const isHolding = await this.#holdsSomething(held);
      const restMs = this.#lastAt + QUIET_MS - performance.now();
      if (restMs <= 0 && !isHolding) return hasWaited;
      const waitMs = Math.max(restMs, isHolding ? LOOK_AGAIN_MS : 0);
      if (performance.now() + waitMs > end) throw userActive(isHolding);
      try {
        await sleep(waitMs, undefined, { signal });
      } catch (error) {
        // On a busy machine the time is up before it is looked again: they were not off in time all the same.
        throw performance.now() >= end - EARLY_MS ? userActive(isHolding) : error;
      }
    }
  }

  #see(event: XEvent): void {
    const { name = '', detail = 0 } = event;
    if (isKeyboardChange(event)) this.#modifiers = undefined;
    const key = keyOfReport(name, detail);
    if (key === undefined || !this.#isListening) return;
    const index = this.#expected.indexOf(key);
    if (index < 0) this.#lastAt = performance.now();
    else this.#expected.splice(0, index + 1);
  }

  async #select(mask: readonly string[]): Promise<void> {
    const xinput = await this.#wire.extension('xinput');
    if (!xinput?.xi2 || this.#wire.isLost) return;
    this.#wire.send(() => {
      xinput.XISelectEvents(this.#wire.root, [{ deviceId: ALL_MASTER_DEVICES, mask }]);
    });
  }

  /** Since the last event of any device, by anybody. */
  async #idleMs(): Promise<number | undefined> {
    const extension = await this.#wire.extension('screen-saver');
    if (!extension) return undefined;
    const info = await this.#wire.attempt<{ readonly idle: number }>((_client, done) => {
      extension.QueryInfo(this.#wire.root, done);
    });
    return info?.idle;
  }

  /** A modifier or a button that somebody else holds down would change what our keys and clicks mean. */
  async #holdsSomething(held: readonly number[]): Promise<boolean> {
    const [keys, pointer, modifiers] = await Promise.all([
      this.#wire.request<Buffer>((client, done) => {
        client.QueryKeymap(done);
      }),
      this.#wire.request<{ readonly keyMask: number }>((client, done) => {
        client.QueryPointer(this.#wire.root, done);
      }),
      this.#modifierKeys(),
    ]);
    const isDown = (keycode: number): boolean => (((keys[keycode >> 3] ?? 0) >> (keycode & 7)) & 1) === 1;
    return (
      modifiers.some((keycode) => isDown(keycode) && !held.includes(keycode)) ||
      BUTTON_MASKS.some(
        ([mask, button]) => (pointer.keyMask & mask) !== 0 && !held.includes(buttonCode(button)),
      )
    );
  }

  async #modifierKeys(): Promise<readonly number[]> {
    this.#modifiers ??= (
      await this.#wire.request<readonly (readonly number[])[]>((client, done) => {
        client.GetModifierMapping(done);
      })
    )
      .flat()
      .filter((keycode) => keycode > 0);
    return this.#modifiers;
  }
}

function keyOf(event: SentEvent): string {
  if (event.kind === 'motion') return 'motion';
  const code = event.kind === 'key' ? event.keycode : event.button;
  return `${event.kind} ${event.isDown ? 'down' : 'up'} ${code}`;
}

const REPORTS: Readonly<Record<string, string>> = {
  XIRawKeyPress: 'key down',
  XIRawKeyRelease: 'key up',
  XIRawButtonPress: 'button down',
  XIRawButtonRelease: 'button up',
};

function keyOfReport(name: string, detail: number): string | undefined {
  if (name === 'XIRawMotion') return 'motion';
  const kind = REPORTS[name];
  return kind && `${kind} ${detail}`;
}

function userActive(isHolding: boolean): DeskterityError {
  return new DeskterityError(
    'CONFLICT',
    isHolding
      ? 'Somebody else holds down a modifier key or a mouse button.'
      : 'The user is working with keyboard or pointer.',
    {
      suggestion: 'Repeat the command when they are still.',
      retryable: true,
    },
  );
}
