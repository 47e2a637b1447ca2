import { setTimeout as sleep } from 'node:timers/promises';
import { DeskterityError } from '../../../../../../model/effects/errors.ts';
import type { CallOptions } from '../../../../../../ports/call-options.ts';
import type { X11Wire } from '../../wire.ts';
import { inputLineage } from '../../windows/window-list.ts';
import { USER_IDLE_MS, type Activity, type UsersPress } from '../user-activity.ts';
import type { FocusKeeper } from './focus-keeper.ts';

/** The user's input, on the connection that uses their keyboard and pointer. */
type UsersInput = Pick<Activity, 'isDetectable' | 'watch'>;

/**
 * The user's input as far as it concerns a seat of our own: only in the window that both work in. There, an application has one focused element for all
 * keyboards, and what we click would receive what they type.
 */
export class SeatActivity implements Activity {
  readonly #wire: X11Wire;
  readonly #keeper: FocusKeeper;
  readonly #users: UsersInput;
  #lastAt = Number.NEGATIVE_INFINITY;
  isOfPerson = false;

  private constructor(wire: X11Wire, keeper: FocusKeeper, users: UsersInput) {
    this.#wire = wire;
    this.#keeper = keeper;
    this.#users = users;
  }

  static async open(wire: X11Wire, keeper: FocusKeeper, users: UsersInput): Promise<SeatActivity> {
    const activity = new SeatActivity(wire, keeper, users);
    const stop = await users.watch(() => {
      activity.#lastAt = performance.now();
    });
    wire.onLoss(stop);
    return activity;
  }

  isDetectable(): Promise<boolean> {
    return this.#users.isDetectable();
  }

  watch(listener: (press: UsersPress) => void): Promise<() => void> {
    return this.#users.watch(listener);
  }

  async untilIdle({ deadlineMs, signal }: CallOptions): Promise<boolean> {
    const end = performance.now() + deadlineMs;
    for (let hasWaited = false; ; hasWaited = true) {
      const restMs = this.#lastAt + USER_IDLE_MS - performance.now();
      if (restMs <= 0 || !(await this.#isInSameWindow())) return hasWaited;
      if (performance.now() + restMs > end) throw inSameWindow();
      try {
        await sleep(restMs, undefined, { signal });
      } catch (error) {
        throw performance.now() >= end ? inSameWindow() : error;
      }
    }
  }

  async start(): Promise<void> {}

  stop(): void {}

  beforeSend(): void {}

  forget(): void {}

  async #isInSameWindow(): Promise<boolean> {
    const [{ active, focus }, { client }, ours] = await Promise.all([
      this.#keeper.places.usersPlace(),
      this.#keeper.places.actedOn(),
      inputLineage(this.#wire),
    ]);
    return [active, focus].some((place) => place !== undefined && (place === client || ours.includes(place)));
  }
}

function inSameWindow(): DeskterityError {
  return new DeskterityError('CONFLICT', 'The user is working in the same window.', {
    suggestion: 'Repeat the command when the user is idle, or has gone to another window.',
    retryable: true,
    delivered: false,
  });
}
