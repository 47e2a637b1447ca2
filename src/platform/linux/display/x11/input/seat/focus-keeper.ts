import { setTimeout as sleep } from 'node:timers/promises';
import { DeskterityError } from '../../../../../../model/effects/errors.ts';
import { readRootState } from '../../root-state.ts';
import type { X11Wire } from '../../wire.ts';
import { INPUT_ONLY, VIEWABLE } from '../../x11-library.ts';
import { inputLineage } from '../../windows/window-list.ts';
import { WindowManagerBarrier } from '../window-manager-barrier.ts';
import { USERS } from './device-requests.ts';
import { OpenedWindows } from './opened-windows.ts';
import type { OwnDevices } from './own-devices.ts';
import type { UsersPlace } from './users-place.ts';

/** Window managers make a clicked window active within 10 ms; those that do not react are not waited for any longer. */
const REACTION_MS = 40;
/** Window managers and applications give the focus back within 10 ms, busy ones later. */
const PUT_BACK_MS = 400;
/** For an application to pass the focus on to the window inside its own that had it before. */
const PASS_ON_MS = 60;
/** However long it takes, the user's keyboard is not frozen for longer. */
const FROZEN_MS = 600;
const RETRY_MS = 10;
const LOOK_EVERY_MS = 1;
/** SubstructureRedirect | SubstructureNotify, as EWMH wants for requests to the window manager. */
const TO_MANAGER = 0x18_0000;
/** EWMH source indication 2: requested by a tool on the user's behalf. */
const SOURCE_PAGER = 2;
const MAX_NESTING = 16;
/** As a focus: no window, and what has a lower number: the one under the pointer. */
const NONE = 0;
const POINTER_ROOT = 1;

const NOWHERE: UsersPlace = { active: undefined, focus: NONE };

interface KeeperParts {
  readonly users: X11Wire;
  /** A window of ours that nobody sees or manages, for a focus on its way. Without any, window managers focus a window of their choice. */
  readonly rest: number;
}

/** What our pointer is on. */
interface ActedOn {
  /** Of the window manager, or the window itself. */
  readonly outermost: number;
  /** The application's window in it, if the window manager manages it. */
  readonly client: number | undefined;
}

/**
 * Keeps the user's keyboard focus where it is while our pointer is used. Window managers make a clicked window active, no matter which pointer clicks it. So the
 * user's keyboard is frozen before the click, until their window is active again: what they type meanwhile is kept by the server and goes there.
 * The freeze ends with our connection, so the end of this process cannot leave the keyboard frozen.
 */
export class FocusKeeper {
  readonly #wire: X11Wire;
  readonly #own: OwnDevices;
  readonly #users: X11Wire;
  readonly #rest: number;
  readonly #barrier: WindowManagerBarrier;
  readonly #opened: OpenedWindows;
  #turn: Promise<unknown> = Promise.resolve();

  private constructor(wire: X11Wire, own: OwnDevices, { users, rest }: KeeperParts) {
    this.#wire = wire;
    this.#own = own;
    this.#users = users;
    this.#rest = rest;
    this.#barrier = new WindowManagerBarrier(wire);
    const read = async (): Promise<number | undefined> => (await readRootState(wire)).active;
    this.#opened = new OpenedWindows(wire, read, (...given) => this.#giveBack(...given));
  }

  /**
   * @param wire must report properties of the root window
   * @param users a connection whose core requests concern the user's keyboard
   */
  static async open(wire: X11Wire, own: OwnDevices, users: X11Wire): Promise<FocusKeeper> {
    const rest = wire.allocateId();
    const values = { eventMask: 0, overrideRedirect: 1 };
    await wire.call('CreateWindow', rest, wire.root, -1, -1, 1, 1, 0, 0, INPUT_ONLY, 0, values);
    await wire.call('MapWindow', rest);
    return new FocusKeeper(wire, own, { users, rest });
  }

  /** Keys or clicks of ours begin: a window that they open may take the user's focus later, and has to give it back. */
  async noteAct(): Promise<void> {
    await this.#turn;
    const [{ clients = [] }, before, { client }, receivers] = await Promise.all([
      readRootState(this.#wire),
      this.usersPlace(),
      this.actedOn(),
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
    const acted = await this.actedOn();
    if (acted.client === undefined) return work();
    return this.#frozen(acted, work, signal);
  }

  /** Does something that may make an application activate one of its windows. */
  keepFromAll<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    return this.#frozen(undefined, work, signal);
  }

  /** Directs our keyboard to a window. */
  focus(window: number, signal: AbortSignal): Promise<void> {
    return this.#inTurn(async () => {
      await this.#freeze(signal);
      try {
        await this.#directOurs(window, await this.usersPlace());
      } finally {
        await this.#thaw();
      }
    });
  }

  /**
   * Directs our keyboard to a window, which is told even if it was there: an application has one idea of focus, not one for each keyboard. The window manager has
   * one, too, and takes ours for the user's; so the user's is directed once more to where it is.
   */
  async #directOurs(window: number, { active, focus }: UsersPlace): Promise<void> {
    const { requests, keyboard } = this.#own;
    await Promise.all([requests.setFocus(keyboard, this.#rest), requests.setFocus(keyboard, window)]);
    if (active === undefined || focus <= POINTER_ROOT) return;
    await Promise.all([this.#directUsers(this.#rest), this.#directUsers(focus)]);
    // Otherwise what is read may be what was so before it knows of our focus.
    await this.#barrier.pass();
    await this.#until({ active, focus });
  }

  async #directUsers(window: number): Promise<void> {
    await this.#users.tryCall('SetInputFocus', window, POINTER_ROOT);
  }

  /** Returns whether the user's keys go there, after a while. */
  async #until(place: UsersPlace): Promise<boolean> {
    const start = performance.now();
    while (performance.now() - start < PASS_ON_MS) {
      const { active, focus } = await this.usersPlace();
      if (active === place.active && focus === place.focus) return true;
      await sleep(LOOK_EVERY_MS);
    }
    return false;
  }

  async usersPlace(): Promise<UsersPlace> {
    const [{ active }, focus] = await Promise.all([
      readRootState(this.#wire),
      this.#own.requests.focus(USERS.keyboard),
    ]);
    return { active, focus };
  }

  /** What our pointer is on. */
  async actedOn(): Promise<ActedOn> {
    const { clients = [] } = await readRootState(this.#wire);
    let inside = this.#wire.root;
    let outermost = 0;
    for (let depth = 0; depth < MAX_NESTING; depth++) {
      const child = (await this.#wire.tryCall('QueryPointer', inside))?.child ?? 0;
      if (child === 0) break;
      if (depth === 0) outermost = child;
      if (clients.includes(child)) return { outermost, client: child };
      inside = child;
    }
    return { outermost, client: undefined };
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
  async #giveBack(opened: number, before: UsersPlace): Promise<boolean> {
    const soon = AbortSignal.timeout(PUT_BACK_MS);
    return this.#inTurn(async () => {
      const [theirs, frame, { active }] = await Promise.all([
        this.#own.requests.windowUnder(USERS.pointer),
        this.#outermostOf(opened),
        this.usersPlace(),
      ]);
      if (active !== opened) return true;
      if (theirs === frame) return false;
      await this.#freeze(soon);
      try {
        await this.#putBack(before, undefined);
        await this.#directOurs(opened, before);
      } finally {
        await this.#thaw();
      }
      return true;
    });
  }

  async #freezing<T>(acted: ActedOn | undefined, work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    await this.#freeze(signal);
    const limit = setTimeout(() => void this.#thaw(), FROZEN_MS);
    const changes = this.#watchActive();
    try {
      const before = await this.usersPlace();
      const result = await work();
      // A click where the user is changes nothing.
      const isSame = acted !== undefined && before.active === acted.client;
      if (!isSame) {
        await Promise.race([changes.seen, sleep(REACTION_MS)]);
        await this.#putBack(before, acted);
      }
      const ours = acted?.client ?? (await this.#own.requests.focus(this.#own.keyboard));
      if (ours > POINTER_ROOT) await this.#directOurs(ours, isSame ? NOWHERE : before);
      return result;
    } finally {
      changes.stop();
      clearTimeout(limit);
      await this.#thaw();
    }
  }

  async #thaw(): Promise<void> {
    await this.#own.requests.thaw(USERS.keyboard).catch(() => undefined);
  }

  /** Another program may have the keyboard for a while: an open menu, a window manager that switches windows. */
  async #freeze(signal: AbortSignal): Promise<void> {
    for (;;) {
      if (signal.aborted) throw keyboardTaken();
      if (await this.#own.requests.freeze(USERS.keyboard)) return;
      await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  #watchActive(): { readonly seen: Promise<void>; readonly stop: () => void } {
    const property = this.#wire.atom('_NET_ACTIVE_WINDOW');
    let stop = (): void => undefined;
    const seen = new Promise<void>((resolve) => {
      stop = this.#wire.onEvent(({ name, wid, atom }) => {
        if (name === 'PropertyNotify' && wid === this.#wire.root && atom === property) resolve();
      });
    });
    return { seen, stop };
  }

  async #putBack(before: UsersPlace, acted: ActedOn | undefined): Promise<void> {
    const now = await this.usersPlace();
    if (now.active === before.active && now.focus === before.focus) return;
    if (before.active === undefined) return this.#directUsers(before.focus);
    if (now.active !== undefined && (await this.#isUsersChoice(now.active, acted))) return;
    const start = performance.now();
    for (let isFirst = true; performance.now() - start < PUT_BACK_MS; isFirst = false) {
      await this.#activate(before.active);
      // An application may have passed the focus on to a window inside its own, and a window manager may have been busy with another change.
      if (!isFirst) await Promise.all([this.#directUsers(this.#rest), this.#directUsers(before.focus)]);
      if (await this.#until(before)) return;
    }
    if (await this.#isShown(before.active)) throw notPutBack();
  }

  async #activate(window: number): Promise<void> {
    const type = this.#wire.atom('_NET_ACTIVE_WINDOW');
    const data = [SOURCE_PAGER, 0, 0, 0, 0];
    await this.#wire.tryCall('SendClientMessage', this.#wire.root, window, type, 32, data, TO_MANAGER);
  }

  /** The user's pointer, which is never frozen, is on the window that became active, and ours is not. */
  async #isUsersChoice(active: number, acted: ActedOn | undefined): Promise<boolean> {
    if (acted === undefined || active === acted.client) return false;
    const [theirs, frame] = await Promise.all([
      this.#own.requests.windowUnder(USERS.pointer),
      this.#outermostOf(active),
    ]);
    return theirs === frame && frame !== acted.outermost;
  }

  async #outermostOf(window: number): Promise<number> {
    let at = window;
    for (let depth = 0; depth < MAX_NESTING; depth++) {
      const parent = (await this.#wire.tryCall('QueryTree', at))?.parent ?? 0;
      if (parent === 0 || parent === this.#wire.root) return at;
      at = parent;
    }
    return at;
  }

  async #isShown(window: number): Promise<boolean> {
    return (await this.#wire.tryCall('GetWindowAttributes', window))?.mapState === VIEWABLE;
  }
}

function keyboardTaken(): DeskterityError {
  return new DeskterityError(
    'CONFLICT',
    "Another program has taken the user's keyboard, as an open menu does, so their focus could not be kept during a click.",
    { suggestion: 'Repeat the command when the menu is closed.', retryable: true, delivered: false },
  );
}

function notPutBack(): DeskterityError {
  return new DeskterityError(
    'CONFLICT',
    'It was clicked, but the window manager did not give the focus back to the window of the user.',
    { suggestion: 'Look at what happened before anything is repeated.', delivered: true },
  );
}
