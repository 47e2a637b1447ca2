import type { X11Wire } from '../../wire.ts';
import { OWN_BITS } from '../../windows/point-content.ts';
import type { Activity, UsersPress } from '../user-activity.ts';
import { USERS, type DeviceRequests } from './device-requests.ts';
import { NONE, type SeatPlaces, type UsersPlace } from './seat-places.ts';

/** From a press to the activation that it asks for: switchers and taskbars of busy desktops take a while. */
const LEADS_MS = 1000;
/** Rows of the modifier mapping with Alt and Super, whose keys window managers switch windows by. */
const SWITCHING_ROWS = [3, 6] as const;
/** What comes after it are wheels. */
const LAST_PLAIN_BUTTON = 3;

/**
 * Whether the user may have made a window active themselves, from afar: with a key while Alt or Super was down, as Alt+Tab, or with a press outside the program that
 * they work in, as on a taskbar. The server reports who pressed, but not why a window became active.
 */
export class UsersChoice {
  readonly #requests: DeviceRequests;
  readonly #places: SeatPlaces;
  readonly #switching: ReadonlySet<number>;
  readonly #down = new Set<number>();
  #keyAtMs = Number.NEGATIVE_INFINITY;
  #buttonAtMs = Number.NEGATIVE_INFINITY;
  #pressedOn: Promise<number> = Promise.resolve(NONE);

  private constructor(requests: DeviceRequests, places: SeatPlaces, switching: ReadonlySet<number>) {
    this.#requests = requests;
    this.#places = places;
    this.#switching = switching;
  }

  /** Listens as long as the connection lives. */
  static async open(wire: X11Wire, { requests, places, users }: UsersChoiceParts): Promise<UsersChoice> {
    const mapping = await wire.call('GetModifierMapping');
    const keys = SWITCHING_ROWS.flatMap((row) => mapping[row] ?? []).filter((keycode) => keycode > 0);
    const choice = new UsersChoice(requests, places, new Set(keys));
    wire.onLoss(await users.watch((press) => choice.#note(press)));
    return choice;
  }

  /** @param before where they were */
  async isMade(before: UsersPlace): Promise<boolean> {
    const now = performance.now();
    if (now - this.#keyAtMs < LEADS_MS) return true;
    if (now - this.#buttonAtMs >= LEADS_MS) return false;
    const { active } = before;
    if (active === undefined) return true;
    const [pressed, frame] = await Promise.all([this.#pressedOn, this.#places.outermostOf(active)]);
    // Their menus are outside the frame of their window.
    return pressed !== frame && pressed >>> OWN_BITS !== active >>> OWN_BITS;
  }

  #note({ kind, isDown, code }: UsersPress): void {
    if (kind === 'key') this.#noteKey(code, isDown);
    else if (isDown && code <= LAST_PLAIN_BUTTON) {
      this.#buttonAtMs = performance.now();
      this.#pressedOn = this.#requests.windowUnder(USERS.pointer).catch(() => NONE);
    }
  }

  #noteKey(keycode: number, isDown: boolean): void {
    const isSwitching = this.#switching.has(keycode);
    // Switchers choose when Alt comes up.
    if (this.#down.size > 0 || isSwitching) this.#keyAtMs = performance.now();
    if (!isSwitching) return;
    if (isDown) this.#down.add(keycode);
    else this.#down.delete(keycode);
  }
}

interface UsersChoiceParts {
  readonly requests: DeviceRequests;
  readonly places: SeatPlaces;
  /** Their presses. */
  readonly users: Pick<Activity, 'watch'>;
}
