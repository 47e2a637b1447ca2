import type { X11Wire } from '../../wire.ts';
import { STRUCTURE_NOTIFY } from '../../x11-library.ts';
import type { SeatPlaces, UsersPlace } from './seat-places.ts';

/**
 * The window that our keyboard was led to. When it closes, the server moves our focus to the root window, and window managers take that for the user's and focus
 * a window of their choice.
 */
export class LedWindow {
  readonly #wire: X11Wire;
  #window: number | undefined;
  /** Where the user is, as far as the window manager had told when it was last asked. */
  #users: Promise<UsersPlace> | undefined;

  /**
   * @param wire must report the properties of the root window
   * @param onClosed is told where the user was just before
   */
  constructor(
    wire: X11Wire,
    places: SeatPlaces,
    onClosed: (window: number, before: UsersPlace) => Promise<void>,
  ) {
    this.#wire = wire;
    const active = wire.atom('_NET_ACTIVE_WINDOW');
    wire.onEvent(({ name, wid, atom }) => {
      // What is read after the window closed is what the window manager made of that.
      if (this.#window === undefined) return;
      if (name === 'PropertyNotify' && wid === wire.root && atom === active) {
        this.#users = places.usersPlace();
        this.#users.catch(() => undefined);
      } else if ((name === 'UnmapNotify' || name === 'DestroyNotify') && wid === this.#window) {
        this.#window = undefined;
        this.#close(wid, onClosed).catch(() => undefined);
      }
    });
  }

  /** @param users where the user is meanwhile */
  async follow(window: number, users: UsersPlace): Promise<void> {
    this.#users = Promise.resolve(users);
    if (this.#window === window) return;
    this.#window = window;
    const attributes = await this.#wire.tryCall('GetWindowAttributes', window);
    if (attributes === undefined) return;
    const eventMask = attributes.myEventMasks | STRUCTURE_NOTIFY;
    await this.#wire.tryCall('ChangeWindowAttributes', window, { eventMask });
  }

  async #close(
    window: number,
    onClosed: (window: number, before: UsersPlace) => Promise<void>,
  ): Promise<void> {
    const users = await this.#users;
    // A user who was in it is led elsewhere by the window manager.
    if (users !== undefined && users.active !== window) await onClosed(window, users);
  }
}
