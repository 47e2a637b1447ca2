import { setTimeout as sleep } from 'node:timers/promises';
import { DeskterityError } from '../../../../../model/effects/errors.ts';
import type { CallOptions } from '../../../../../ports/call-options.ts';
import { notRefused, type X11Wire } from '../wire.ts';
import type { XEvent } from '../x11-library.ts';
import type { SentEvent } from './fake-input.ts';
import { buttonCode } from './held-input.ts';
import { isKeyboardChange } from './keyboard/keyboard-changes.ts';
import { DeviceRequests } from './seat/device-requests.ts';
import { mastersOfUser } from './seat/seat-name.ts';

/** Timers may fire slightly early. */
const EARLY_MS = 5;
/** The user must have sent no events for this long before we send any: people pause in the middle of a word. */
export const USER_IDLE_MS = 700;
/** How often to check whether the user still holds a button or a modifier, which sends no events. */
const POLL_MS = 50;
/** Tolerance, because the clocks of processes and of the server are read one after the other. */
const CLOCK_TOLERANCE_MS = 50;
const ALL_DEVICES = 0;
const PRESSES = ['RawKeyPress', 'RawKeyRelease', 'RawButtonPress', 'RawButtonRelease'];
const EVENTS = [...PRESSES, 'RawMotion'];
/** Bits of QueryPointer's mask. */
const BUTTON_MASKS = [
  [0x100, 1],
  [0x200, 2],
  [0x400, 3],
] as const;

/** A key or a button of a person. */
export interface UsersPress {
  readonly kind: 'key' | 'button';
  readonly isDown: boolean;
  /** Keycode, or number of the button. */
  readonly code: number;
}

/** Whether others use the keyboard and pointer that we use. */
export interface Activity {
  /** What we send ourselves is a person's input, who uses the desktop through a page. */
  isOfPerson: boolean;
  isDetectable(): Promise<boolean>;
  watch(listener: (press: UsersPress) => void): Promise<() => void>;
  start(ownAt: number | undefined): Promise<void>;
  stop(): void;
  beforeSend(event: SentEvent): void;
  forget(): void;
  untilIdle(options: CallOptions, held: readonly number[]): Promise<boolean>;
}

/**
 * Detects keyboard and pointer events that we did not send: by the user, or by another program. The server reports each
 * event once and in order, so an event beyond those that we sent came from elsewhere. Seats of ours are not listened to.
 */
export class UserActivity implements Activity {
  readonly #wire: X11Wire;
  /** Sent but not reported yet. */
  readonly #expected: string[] = [];
  #lastAt = Number.NEGATIVE_INFINITY;
  #isListening = false;
  #modifiers: readonly number[] | undefined;
  /** The masters to listen to; unknown at first, and after a change. */
  #masters: Promise<readonly number[]> | undefined;
  #selected: readonly string[] = [];
  readonly #watchers = new Set<(press: UsersPress) => void>();
  isOfPerson = false;

  constructor(wire: X11Wire) {
    this.#wire = wire;
    wire.onEvent((event) => {
      this.#onEvent(event);
    });
  }

  /**
   * Starts listening.
   * @param ownAt when any Deskterity process last sent input here (Date.now)
   */
  async start(ownAt: number | undefined): Promise<void> {
    this.#isListening = true;
    this.#expected.length = 0;
    await this.#select(EVENTS);
    const idleMs = await this.#idleMs();
    if (idleMs === undefined || Date.now() - idleMs <= (ownAt ?? 0) + CLOCK_TOLERANCE_MS) return;
    this.#lastAt = Math.max(this.#lastAt, performance.now() - idleMs);
  }

  /** Whether user input can be detected: only servers with version 2 of the X Input Extension report it. */
  async isDetectable(): Promise<boolean> {
    return Boolean((await this.#wire.extension('xinput'))?.xi2);
  }

  /** Stops listening: a moving mouse sends a thousand events a second, so we listen to it only while acting. */
  stop(): void {
    this.#isListening = false;
    this.#select(this.#idleEvents).catch(() => undefined);
  }

  /** Calls `listener` for each key and button that a person pressed or released, until the returned function is called. */
  async watch(listener: (press: UsersPress) => void): Promise<() => void> {
    this.#watchers.add(listener);
    if (!this.#isListening) await this.#select(PRESSES);
    return () => {
      this.#watchers.delete(listener);
      if (!this.#isListening) this.#select(this.#idleEvents).catch(() => undefined);
    };
  }

  get #idleEvents(): readonly string[] {
    return this.#watchers.size === 0 ? [] : PRESSES;
  }

  beforeSend(event: SentEvent): void {
    if (this.#isListening) this.#expected.push(keyOf(event));
  }

  /** To be called when the server has replied to a request after all sent events: events not reported by then never will be. */
  forget(): void {
    this.#expected.length = 0;
  }

  /**
   * Resolves when the user is idle, with whether it had to wait.
   * @param held what we hold down ourselves
   * @throws DeskterityError CONFLICT (retryable) if the user does not become idle in time
   */
  async untilIdle({ deadlineMs, signal }: CallOptions, held: readonly number[]): Promise<boolean> {
    const end = performance.now() + deadlineMs;
    for (let hasWaited = false; ; hasWaited = true) {
      // The request comes first: its reply arrives after all events that the server reported before.
      const isHolding = await this.#holdsSomething(held);
      const restMs = this.#lastAt + USER_IDLE_MS - performance.now();
      if (restMs <= 0 && !isHolding) return hasWaited;
      const waitMs = Math.max(restMs, isHolding ? POLL_MS : 0);
      if (performance.now() + waitMs > end) throw userActive(isHolding);
      try {
        await sleep(waitMs, undefined, { signal });
      } catch (error) {
        // On a busy machine time runs out before the next check: then, too, the user was not idle in time.
        throw performance.now() >= end - EARLY_MS ? userActive(isHolding) : error;
      }
    }
  }

  #onEvent(event: XEvent): void {
    const { name = '', detail = 0 } = event;
    if (isKeyboardChange(event)) this.#modifiers = undefined;
    if (name === 'XIHierarchyChanged') this.#listenAnew();
    const report = name === 'XIRawMotion' ? 'motion' : pressOf(name, detail);
    if (report === undefined) return;
    const key = report === 'motion' ? report : keyOf(report);
    // What we sent last may be reported only after the end of the lease.
    const index = this.#expected.indexOf(key);
    if (index >= 0) this.#expected.splice(0, index + 1);
    else if (this.#isListening) this.#lastAt = performance.now();
    if (report === 'motion' || (index >= 0 && !this.isOfPerson)) return;
    for (const watcher of this.#watchers) watcher(report);
  }

  async #select(mask: readonly string[]): Promise<void> {
    this.#selected = mask;
    const xinput = await this.#wire.extension('xinput');
    if (!xinput?.xi2 || this.#wire.isLost) return;
    this.#masters ??= this.#findMasters();
    const masters = await this.#masters;
    // Several changes may have waited for the same answer.
    if (this.#selected !== mask || this.#wire.isLost) return;
    this.#wire.send(() => {
      xinput.XISelectEvents(this.#wire.root, [{ deviceId: ALL_DEVICES, mask: ['HierarchyChanged'] }]);
      // One that was just removed would spoil a common request.
      for (const deviceId of masters) xinput.XISelectEvents(this.#wire.root, [{ deviceId, mask }]);
    });
  }

  async #findMasters(): Promise<readonly number[]> {
    const requests = await DeviceRequests.find(this.#wire);
    return requests === undefined ? [] : mastersOfUser(await requests.masters());
  }

  #listenAnew(): void {
    this.#masters = undefined;
    this.#select(this.#isListening ? EVENTS : this.#idleEvents).catch(() => undefined);
  }

  /** Time since the last event of any device, from any source. */
  async #idleMs(): Promise<number | undefined> {
    const extension = await this.#wire.extension('screen-saver');
    if (!extension) return undefined;
    const query = this.#wire.request<{ readonly idle: number }>((_client, done) => {
      extension.QueryInfo(this.#wire.root, done);
    });
    const info = await notRefused(query);
    return info?.idle;
  }

  /** A modifier or button held by the user would change the meaning of our keys and clicks. */
  async #holdsSomething(held: readonly number[]): Promise<boolean> {
    const [keys, pointer, modifiers] = await Promise.all([
      this.#wire.call('QueryKeymap'),
      this.#wire.call('QueryPointer', this.#wire.root),
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
    this.#modifiers ??= (await this.#wire.call('GetModifierMapping')).flat().filter((keycode) => keycode > 0);
    return this.#modifiers;
  }
}

function keyOf(event: SentEvent | UsersPress): string {
  if (event.kind === 'motion') return 'motion';
  const code = 'code' in event ? event.code : event.kind === 'key' ? event.keycode : event.button;
  return `${event.kind} ${event.isDown ? 'down' : 'up'} ${code}`;
}

const REPORTS: Readonly<Record<string, Pick<UsersPress, 'kind' | 'isDown'>>> = {
  XIRawKeyPress: { kind: 'key', isDown: true },
  XIRawKeyRelease: { kind: 'key', isDown: false },
  XIRawButtonPress: { kind: 'button', isDown: true },
  XIRawButtonRelease: { kind: 'button', isDown: false },
};

function pressOf(name: string, code: number): UsersPress | undefined {
  const report = REPORTS[name];
  return report && { ...report, code };
}

function userActive(isHolding: boolean): DeskterityError {
  return new DeskterityError(
    'CONFLICT',
    isHolding
      ? 'The user is holding down a modifier key or a mouse button.'
      : 'The user is using the keyboard or the pointer.',
    {
      suggestion: 'Repeat the command when the user is idle.',
      retryable: true,
    },
  );
}
