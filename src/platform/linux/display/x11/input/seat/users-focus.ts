import { setTimeout as sleep } from 'node:timers/promises';
import { DeskterityError } from '../../../../../../model/effects/errors.ts';
import { isManagerAlive, readRootState } from '../../root-state.ts';
import type { X11Wire } from '../../wire.ts';
import { VIEWABLE } from '../../x11-library.ts';
import { activateWindow } from './activate-window.ts';
import { NONE, POINTER_ROOT, type ActedOn, type SeatPlaces, type UsersPlace } from './seat-places.ts';

/** Window managers and applications give the focus back within 10 ms, busy ones later. */
const PUT_BACK_MS = 400;
/** For an application to pass the focus on to the window inside its own that had it before. */
const PASS_ON_MS = 60;
const LOOK_EVERY_MS = 1;

/** The focus of the user's keyboard: where it is, and back to where it was. */
export class UsersFocus {
  readonly #wire: X11Wire;
  readonly #users: X11Wire;
  readonly #rest: number;
  readonly #places: SeatPlaces;

  /**
   * @param users a connection whose core requests concern the user's keyboard
   * @param rest a window of ours, for a focus on its way
   */
  constructor(
    wire: X11Wire,
    users: X11Wire,
    { rest, places }: { readonly rest: number; readonly places: SeatPlaces },
  ) {
    this.#wire = wire;
    this.#users = users;
    this.#rest = rest;
    this.#places = places;
  }

  /** Directs the user's focus to where it was, even if it is there; not to a window that is gone. */
  async direct(place: UsersPlace): Promise<void> {
    const to = await this.#places.focusOf(place);
    if (to > POINTER_ROOT && !(await this.isShown(to))) return;
    const [, isThere] = await Promise.all([this.#set(this.#rest), this.#set(to)]);
    // It was closed or hidden just now.
    if (!isThere) await this.lose();
  }

  /** Where no window has the focus, window managers give it to one. They hear of it only if no other keyboard is in a window. */
  async lose(): Promise<void> {
    await Promise.all([this.#set(this.#rest), this.#set(NONE)]);
  }

  #set(window: number): Promise<boolean> {
    return this.#users.accepts('SetInputFocus', window, POINTER_ROOT);
  }

  /** Returns whether the user's keys go there, after a while. */
  async until(place: UsersPlace): Promise<boolean> {
    const start = performance.now();
    while (performance.now() - start < PASS_ON_MS) {
      if (await this.#places.isAt(place)) return true;
      await sleep(LOOK_EVERY_MS);
    }
    return false;
  }

  /** Whether their keys go to no window though a window manager is there to give them one; what it calls active is closed. */
  async isLost(): Promise<boolean> {
    const { active, focus } = await this.#places.usersPlace();
    if (focus > POINTER_ROOT || (active !== undefined && (await this.isShown(active)))) return false;
    return isManagerAlive(this.#wire, (await readRootState(this.#wire)).manager);
  }

  /** Where the window manager gave their focus to, after a while. */
  async untilGiven(): Promise<UsersPlace> {
    const start = performance.now();
    for (;;) {
      const place = await this.#places.usersPlace();
      const isGiven = place.focus > POINTER_ROOT && (await this.#isAtActive(place));
      if (isGiven || performance.now() - start > PUT_BACK_MS) return place;
      await sleep(LOOK_EVERY_MS);
    }
  }

  async #isAtActive({ active, focus }: UsersPlace): Promise<boolean> {
    return active !== undefined && this.#places.isInside(focus, active);
  }

  watchActive(): { readonly seen: Promise<void>; readonly stop: () => void } {
    const property = this.#wire.atom('_NET_ACTIVE_WINDOW');
    let stop = (): void => undefined;
    const seen = new Promise<void>((resolve) => {
      stop = this.#wire.onEvent(({ name, wid, atom }) => {
        if (name === 'PropertyNotify' && wid === this.#wire.root && atom === property) resolve();
      });
    });
    return { seen, stop };
  }

  async putBack(before: UsersPlace, acted: ActedOn | undefined): Promise<void> {
    if (await this.#places.isAt(before)) return;
    if (before.active === undefined) return this.direct(before);
    // The window manager decides who has the focus of a window that is gone.
    if (!(await this.isShown(before.active))) return;
    const { active } = await this.#places.usersPlace();
    // Theirs may be active and have lost the focus to an application that was told to take it, as GTK is by xfwm4.
    const isOther = active !== undefined && active !== before.active;
    if (isOther && (await this.#places.isUsersChoice(active, acted))) return;
    const start = performance.now();
    for (let isFirst = true; performance.now() - start < PUT_BACK_MS; isFirst = false) {
      await activateWindow(this.#wire, before.active);
      // An application may have passed the focus on to a window inside its own, and a window manager may have been busy with another change.
      if (!isFirst) await this.direct(before);
      if (await this.until(before)) return;
      if (!(await this.isShown(before.active))) return;
    }
    throw notPutBack();
  }

  async isShown(window: number): Promise<boolean> {
    return (await this.#wire.tryCall('GetWindowAttributes', window))?.mapState === VIEWABLE;
  }
}

function notPutBack(): DeskterityError {
  return new DeskterityError(
    'CONFLICT',
    'The input was sent, but the window manager did not give the focus back to the window of the user.',
    { suggestion: 'Look at what happened before anything is repeated.', delivered: true },
  );
}
