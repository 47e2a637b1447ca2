import type { X11Wire } from '../../wire.ts';
import { STRUCTURE_NOTIFY } from '../../x11-library.ts';
import { USERS } from './device-requests.ts';
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
   * @param onMissed the active window is unknown, as it is when the user goes where our keyboard is
   */
  constructor(
    wire: X11Wire,
    places: SeatPlaces,
    {
      onClosed,
      onMissed,
    }: {
      readonly onClosed: (window: number, before: UsersPlace) => Promise<void>;
      readonly onMissed: (window: number) => Promise<void>;
    },
  ) {
    this.#wire = wire;
    this.#places = places;
    const active = wire.atom('_NET_ACTIVE_WINDOW');
    wire.onEvent(({ name, wid, atom }) => {
      // What is read after the window closed is what the window manager made of that.
      if (this.#window === undefined) return;
      const isActivated = name === 'PropertyNotify' && wid === wire.root && atom === active;
      if (isActivated || name === 'XIFocusIn') {
        this.#lookForUser();
        this.#meet(onMissed).catch(() => undefined);
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
    const xinput = await this.#wire.extension('xinput');
    this.#wire.send(() => xinput?.XISelectEvents(window, [{ deviceId: USERS.keyboard, mask: ['FocusIn'] }]));
  }

  #lookForUser(): void {
    this.#users = this.#places.usersPlace();
    this.#users.catch(() => undefined);
  }

  async #meet(onMissed: (window: number) => Promise<void>): Promise<void> {
    const users = await this.#users;
    if (users?.active === undefined && this.#window !== undefined) await onMissed(this.#window);
  }

  /** Our keyboard has left it. */
  forget(): void {
    this.#window = undefined;
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
