import type { X11Wire } from '../../wire.ts';
import { STRUCTURE_NOTIFY } from '../../x11-library.ts';
import type { SeatPlaces, UsersPlace } from './seat-places.ts';

/**
 * The window that our keyboard was led to. When it closes, the server moves our focus to the root window, and window managers take that for the user's and focus
 * a window of their choice.
 */
export class LedWindow {
  readonly #wire: X11Wire;
  readonly #places: SeatPlaces;
  #window: number | undefined;
  /** Where the user was when our keyboard was led there, or when the active window changed after that. */
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
    this.#places = places;
    const active = wire.atom('_NET_ACTIVE_WINDOW');
    wire.onEvent(({ name, wid, atom }) => {
      // What is read after the window closed is what the window manager made of that.
      if (this.#window === undefined) return;
      if (name === 'PropertyNotify' && wid === wire.root && atom === active) {
        this.#lookForUser();
      } else if ((name === 'UnmapNotify' || name === 'DestroyNotify') && wid === this.#window) {
        this.#window = undefined;
        this.#close(wid, onClosed).catch(() => undefined);
      }
    });
  }

  async follow(window: number): Promise<void> {
    this.#lookForUser();
    if (this.#window === window) return;
    this.#window = window;
    const attributes = await this.#wire.tryCall('GetWindowAttributes', window);
    if (attributes === undefined) return;
    const eventMask = attributes.myEventMasks | STRUCTURE_NOTIFY;
    await this.#wire.tryCall('ChangeWindowAttributes', window, { eventMask });
  }

  #lookForUser(): void {
    this.#users = this.#places.usersPlace();
    this.#users.catch(() => undefined);
  }

  async #close(
    window: number,
    onClosed: (window: number, before: UsersPlace) => Promise<void>,
  ): Promise<void> {
    const users = await this.#users;
    // A user who was in it, or nowhere, is led elsewhere by the window manager.
    if (users?.active !== undefined && users.active !== window) await onClosed(window, users);
  }
}
