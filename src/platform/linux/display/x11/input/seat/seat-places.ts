import type { Point } from '../../../../../../ports/input.ts';
import { readRootState } from '../../root-state.ts';
import type { X11Wire } from '../../wire.ts';
import { USERS, type DeviceRequests } from './device-requests.ts';

const MAX_NESTING = 16;
/** As a focus: no window, and what has a lower number: the one under the pointer. */
export const NONE = 0;
export const POINTER_ROOT = 1;
/** Buttons 1 to 5 in the state of a pointer. */
const ANY_BUTTON = 0x1f00;

/** Where the user's keys go. */
export interface UsersPlace {
  readonly active: number | undefined;
  readonly focus: number;
}

/** What our pointer is on. */
export interface ActedOn {
  /** Of the window manager, or the window itself. */
  readonly outermost: number;
  /** The application's window in it, if the window manager manages it. */
  readonly client: number | undefined;
}

/** Where the user is, and where we are. */
export class SeatPlaces {
  readonly #wire: X11Wire;
  readonly #requests: DeviceRequests;

  /** @param wire its core requests concern our devices */
  constructor(wire: X11Wire, requests: DeviceRequests) {
    this.#wire = wire;
    this.#requests = requests;
  }

  async usersPlace(): Promise<UsersPlace> {
    const [{ active }, focus] = await Promise.all([
      readRootState(this.#wire),
      this.#requests.focus(USERS.keyboard),
    ]);
    return { active, focus };
  }

  /** Whether the user's keys go to the same window as they did then; its application may have passed the focus on to another one inside it. */
  async isAt({ active, focus }: UsersPlace): Promise<boolean> {
    const now = await this.usersPlace();
    if (now.active !== active) return false;
    return now.focus === focus || (active !== undefined && (await this.isInside(now.focus, active)));
  }

  /** The window to give the focus back to. Mutter reports a window as active before it has the focus, so what had it may be another, or gone. */
  async focusOf({ active, focus }: UsersPlace): Promise<number> {
    return active === undefined || (await this.isInside(focus, active)) ? focus : active;
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

  /** Whether a window manager may make another window active because our pointer goes there, or because its wheel turns. */
  async mayFollow(to: Point | undefined): Promise<boolean> {
    const { root } = this.#wire;
    const now = await this.#wire.call('QueryPointer', root);
    // What is dragged has the pointer.
    if ((now.keyMask & ANY_BUTTON) !== 0) return false;
    if (to === undefined) return true;
    const there = await this.#wire.tryCall('TranslateCoordinates', root, root, to.x, to.y);
    return there !== undefined && there.child !== 0 && there.child !== now.child;
  }

  /** The user's pointer, which is never frozen, is on the window that became active, and ours is not. */
  async isUsersChoice(active: number, acted: ActedOn | undefined): Promise<boolean> {
    if (acted === undefined || active === acted.client) return false;
    const [theirs, frame] = await Promise.all([
      this.#requests.windowUnder(USERS.pointer),
      this.outermostOf(active),
    ]);
    return theirs === frame && frame !== acted.outermost;
  }

  /** Whether a window is another one, or in it. */
  async isInside(window: number, outer: number): Promise<boolean> {
    let at = window;
    for (let depth = 0; depth < MAX_NESTING && at !== outer; depth++) {
      if (at <= POINTER_ROOT || at === this.#wire.root) return false;
      at = (await this.#wire.tryCall('QueryTree', at))?.parent ?? NONE;
    }
    return at === outer;
  }

  async outermostOf(window: number): Promise<number> {
    let at = window;
    for (let depth = 0; depth < MAX_NESTING; depth++) {
      const parent = (await this.#wire.tryCall('QueryTree', at))?.parent ?? 0;
      if (parent === 0 || parent === this.#wire.root) return at;
      at = parent;
    }
    return at;
  }
}
