import { setTimeout as sleep } from 'node:timers/promises';
import type { Point } from '../../../../../../ports/input.ts';
import { readRootState } from '../../root-state.ts';
import type { X11Wire } from '../../wire.ts';
import { INPUT_ONLY, SUBSTRUCTURE_NOTIFY } from '../../x11-library.ts';
import { inputLineage } from '../../windows/window-list.ts';
import type { Activity } from '../user-activity.ts';
import { WindowManagerBarrier } from '../window-manager-barrier.ts';
import { USERS } from './device-requests.ts';
import { OpenedWindows, type GivenBack } from './opened-windows.ts';
import { LedWindow } from './led-window.ts';
import { watchLostFocus } from './lost-focus.ts';
import type { OwnDevices } from './own-devices.ts';
import { UsersFocus } from './users-focus.ts';
import { UsersChoice } from './users-choice.ts';
import { UsersKeyboard, type Thaw } from './users-keyboard.ts';
import { NONE, POINTER_ROOT, SeatPlaces, type ActedOn, type UsersPlace } from './seat-places.ts';

/** Window managers make a clicked window active within 10 ms; those that do not react are not waited for any longer. */
const REACTION_MS = 40;
/** For our keyboard to be led to a window that opened. */
const LEAD_MS = 400;

const NOWHERE: UsersPlace = { active: undefined, focus: NONE };

/** Of the user. */
interface UsersParts {
  /** A connection whose core requests concern their keyboard. */
  readonly wire: X11Wire;
  readonly activity: Pick<Activity, 'watch'>;
}

interface KeeperParts {
  readonly users: X11Wire;
  readonly places: SeatPlaces;
  readonly choice: UsersChoice;
  /** A window of ours that nobody sees or manages, for a focus on its way. Without any, window managers focus a window of their choice. */
  readonly rest: number;
}

/**
 * Keeps the user's keyboard focus where it is while our pointer is used. Window managers make a clicked window active, no matter which pointer clicks it. So the
 * user's keyboard is frozen before the click, until their window is active again: what they type meanwhile is kept by the server and goes there.
 * The freeze ends with our connection, so the end of this process cannot leave the keyboard frozen.
 */
export class FocusKeeper {
  readonly places: SeatPlaces;
  readonly #wire: X11Wire;
  readonly #own: OwnDevices;
  readonly #usersFocus: UsersFocus;
  readonly #rest: number;
  readonly #barrier: WindowManagerBarrier;
  readonly #opened: OpenedWindows;
  readonly #keyboard: UsersKeyboard;
  readonly #led: LedWindow;
  readonly #choice: UsersChoice;
  #turn: Promise<unknown> = Promise.resolve();

  private constructor(wire: X11Wire, own: OwnDevices, { users, places, choice, rest }: KeeperParts) {
    this.#wire = wire;
    this.#own = own;
    this.places = places;
    this.#choice = choice;
    this.#usersFocus = new UsersFocus(wire, users, { rest, places });
    this.#rest = rest;
    this.#barrier = new WindowManagerBarrier(wire);
    this.#keyboard = new UsersKeyboard(own.requests);
    this.#opened = new OpenedWindows(wire, {
      keyboard: this.#keyboard,
      settled: () => this.#barrier.pass(),
      giveBack: (...given) => this.#giveBack(...given),
      lead: (window) => this.focus(window, AbortSignal.timeout(LEAD_MS)),
    });
    this.#led = new LedWindow(wire, this.places, {
      onClosed: (...closed) => this.#leaveClosed(...closed),
      onMissed: (window) => this.#makeWay(window),
    });
    watchLostFocus(wire, own.requests, () => this.#tellOfLoss());
  }

  /**
   * @param wire must report properties of the root window
   */
  static async open(wire: X11Wire, own: OwnDevices, users: UsersParts): Promise<FocusKeeper> {
    const rest = wire.allocateId();
    const values = { eventMask: 0, overrideRedirect: 1 };
    await wire.call('CreateWindow', rest, wire.root, -1, -1, 1, 1, 0, 0, INPUT_ONLY, 0, values);
    await wire.call('MapWindow', rest);
    const { myEventMasks } = await wire.call('GetWindowAttributes', wire.root);
    const eventMask = myEventMasks | SUBSTRUCTURE_NOTIFY;
    await wire.call('ChangeWindowAttributes', wire.root, { eventMask });
    const { requests } = own;
    const places = new SeatPlaces(wire, requests);
    const choice = await UsersChoice.open(wire, { requests, places, users: users.activity });
    return new FocusKeeper(wire, own, { users: users.wire, places, choice, rest });
  }

  /** Keys or clicks of ours begin: a window that they open may take the user's focus later, and has to give it back. */
  async noteAct(): Promise<void> {
    await this.#turn;
    const [{ clients = [] }, before, { client }, receivers] = await Promise.all([
      readRootState(this.#wire),
      this.places.usersPlace(),
      this.places.actedOn(),
      inputLineage(this.#wire),
    ]);
    const receiver = receivers.find((window) => clients.includes(window));
    const acted = [client, receiver].filter((window) => window !== undefined);
    this.#opened.note(acted, before, clients);
  }

  /**
   * Does something with our pointer where it is now. Our keyboard then goes to the window there, as after a click by hand.
   * @param signal once aborted, nobody waits for the user's keyboard any more
   * @throws DeskterityError CONFLICT if another program has the user's keyboard, then `work` was not called; CONFLICT (delivered) if the focus could not be
   * put back
   */
  async keep<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    const acted = await this.places.actedOn();
    if (acted.client === undefined) return work();
    return this.#frozen(acted, work, signal);
  }

  /**
   * Moves our pointer, or turns its wheel. Window managers may make the window there active, too; our keyboard stays where it is.
   * @param to where it will be; where it is, if absent
   * @throws DeskterityError as {@link keep}
   */
  async keepUnder<T>(to: Point | undefined, work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    if (!(await this.places.mayFollow(to))) return work();
    return this.#inTurn(async () => {
      const thaw = await this.#keyboard.freeze(signal);
      try {
        const before = await this.places.usersPlace();
        const result = to === undefined ? await this.#untilReaction(work, signal) : await work();
        await this.#barrier.pass(signal);
        await this.#usersFocus.putBack(before, await this.places.actedOn());
        return result;
      } finally {
        await thaw();
      }
    });
  }

  /** Does something that may make an application activate one of its windows. */
  keepFromAll<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    return this.#frozen(undefined, work, signal);
  }

  /** Directs our keyboard to a window. */
  focus(window: number, signal: AbortSignal): Promise<void> {
    return this.#inTurn(async () => {
      const thaw = await this.#keyboard.freeze(signal);
      try {
        await this.#directOurs(window, await this.places.usersPlace());
      } finally {
        await thaw();
      }
    });
  }

  /**
   * Directs our keyboard to a window, which is told even if it was there: an application has one idea of focus, not one for each keyboard. The window manager has
   * one, too, and takes ours for the user's; so the user's is directed once more to where it is.
   */
  async #directOurs(window: number, users: UsersPlace): Promise<void> {
    const { requests, keyboard } = this.#own;
    await Promise.all([
      requests.setFocus(keyboard, this.#rest),
      requests.setFocus(keyboard, window),
      this.#led.follow(window),
    ]);
    if (users.active === undefined) return;
    await this.#usersFocus.direct(users);
    // Otherwise what is read may be what was so before it knows of our focus.
    await this.#barrier.pass();
    await this.#usersFocus.until(users);
  }

  #frozen<T>(acted: ActedOn | undefined, work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    return this.#inTurn(() => this.#freezing(acted, work, signal));
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => undefined);
    return done;
  }

  /** A window that an act opened took the focus. Our keyboard goes there instead, as after a click by hand. */
  async #giveBack(opened: number, before: UsersPlace, wasThere: boolean): Promise<GivenBack> {
    return this.#inTurn(async () => {
      const [theirs, frame, { active }] = await Promise.all([
        this.#own.requests.windowUnder(USERS.pointer),
        this.places.outermostOf(opened),
        this.places.usersPlace(),
      ]);
      const isClosed = before.active !== undefined && !(await this.#usersFocus.isShown(before.active));
      if (active !== opened || isClosed) return 'elsewhere';
      if (theirs === frame || (wasThere && (await this.#choice.isMade(before)))) return 'chosen';
      const thaw = await this.#freezeIfFree();
      try {
        await this.#usersFocus.putBack(before, undefined);
        await this.#directOurs(opened, before);
      } finally {
        await thaw?.();
      }
      return 'given';
    });
  }

  async #freezing<T>(acted: ActedOn | undefined, work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    const thaw = await this.#keyboard.freeze(signal);
    try {
      const before = await this.places.usersPlace();
      // A click where the user is changes nothing.
      const isSame = acted !== undefined && before.active === acted.client;
      const result = isSame ? await work() : await this.#untilReaction(work, signal);
      if (!isSame) await this.#usersFocus.putBack(before, acted);
      const ours = acted?.client ?? (await this.#own.requests.focus(this.#own.keyboard));
      if (ours > POINTER_ROOT) await this.#directOurs(ours, isSame ? NOWHERE : before);
      return result;
    } finally {
      await thaw();
    }
  }

  /** Presses something, and waits until the window manager has made another window active, or is not going to. Xfwm4 does so for the wheel, too. */
  async #untilReaction<T>(press: () => Promise<T>, signal: AbortSignal): Promise<T> {
    const changes = this.#usersFocus.watchActive();
    try {
      const result = await press();
      // A busy one, such as KWin, reacts later than that.
      await Promise.race([changes.seen, Promise.all([sleep(REACTION_MS), this.#barrier.pass(signal)])]);
      return result;
    } finally {
      changes.stop();
    }
  }

  /** The window in which our keyboard was has closed; or the window manager hid it for a moment, to put a frame around it. */
  #leaveClosed(window: number, before: UsersPlace): Promise<void> {
    const frozen = this.#freezeIfFree();
    return this.#inTurn(async () => {
      const thaw = await frozen;
      try {
        const to = (await this.#usersFocus.isShown(window)) ? window : this.#rest;
        await this.#directOurs(to, before);
        await this.#barrier.pass();
        await this.#usersFocus.putBack(before, undefined);
      } finally {
        await thaw?.();
      }
    });
  }

  /**
   * The user went to the window in which our keyboard is. The server tells nobody of a second focus in the same window, so the window manager takes no window for
   * active. Ours leaves, and theirs comes once more.
   */
  #makeWay(window: number): Promise<void> {
    return this.#inTurn(async () => {
      // When our keyboard comes to the window of the user, no window is active for a moment.
      await this.#barrier.pass();
      const { active, focus } = await this.places.usersPlace();
      if (active !== undefined || !(await this.places.isInside(focus, window))) return;
      const thaw = await this.#freezeIfFree();
      try {
        this.#led.forget();
        await this.#own.requests.setFocus(this.#own.keyboard, this.#rest);
        await this.#usersFocus.direct({ active: window, focus });
        await this.#usersFocus.until({ active: window, focus });
      } finally {
        await thaw?.();
      }
    });
  }

  /** The window manager hears that the user's focus is lost once ours is in no window, see {@link watchLostFocus}. Ours comes back after its choice. */
  #tellOfLoss(): Promise<void> {
    return this.#inTurn(async () => {
      const { requests, keyboard } = this.#own;
      await this.#barrier.pass();
      const ours = await requests.focus(keyboard);
      if (ours <= POINTER_ROOT || !(await this.#usersFocus.isLost())) return;
      const thaw = await this.#freezeIfFree();
      try {
        await requests.setFocus(keyboard, NONE);
        await this.#usersFocus.lose();
        const users = await this.#usersFocus.untilGiven();
        // In the same window, the user is first.
        if (ours === this.#rest || users.active === ours) await requests.setFocus(keyboard, this.#rest);
        else await this.#directOurs(ours, users);
      } finally {
        await thaw?.();
      }
    });
  }

  /** While a menu of the user has their keyboard, it cannot be frozen; what they type goes there. */
  #freezeIfFree(): Promise<Thaw | undefined> {
    return this.#keyboard.freeze(AbortSignal.timeout(REACTION_MS)).catch(() => undefined);
  }
}
