import { mentionCommand } from '../../../../../model/text/mention.ts';
import { DeskterityError } from '../../../../../model/effects/errors.ts';
import type { CallOptions } from '../../../../../ports/call-options.ts';
import type { Point } from '../../../../../ports/input.ts';
import { createInputOnlyWindow } from '../clipboard/selection-client.ts';
import { PROPERTY_CHANGE } from '../x11-library.ts';
import type { X11Wire } from '../wire.ts';
import { withDeadline } from '../x11-errors.ts';
import { FakeInput, type SentEvent } from './fake-input.ts';
import type { ReleaseGuard } from './release-guard.ts';
import { LeaseLock } from './lease-lock.ts';
import { HeldInput, heldRecord } from './held-input.ts';
import { HOT_KEY, HotKey } from './hot-key.ts';
import { selectKeyboardChanges } from './keyboard/keyboard-changes.ts';
import { Keyboard } from './keyboard/keyboard.ts';
import { RootProperty, StopProperty } from './root-property.ts';
import { FocusKeeper } from './seat/focus-keeper.ts';
import { NamedCursor } from './seat/named-cursor.ts';
import { OwnDevices } from './seat/own-devices.ts';
import { SeatActivity } from './seat/seat-activity.ts';
import { UserActivity, type Activity } from './user-activity.ts';

/** One attempt serves all waiting callers, whatever their deadlines. */
const CONNECT_MS = 10_000;
const LEAVE_MS = 2000;

/** `undefined` if there is no program for it. */
export type StartGuard = () => ReleaseGuard | undefined;

/** Sends keys and moves the pointer. */
export interface InputDevices {
  readonly fake: FakeInput;
  readonly keyboard: Keyboard;
}

/** A keyboard and a pointer of our own beside the user's. */
export interface OwnSeatParts {
  readonly devices: OwnDevices;
  readonly keeper: FocusKeeper;
  readonly cursor: NamedCursor;
  /** The connection that uses the user's keyboard and pointer. */
  readonly shared: InputConnection;
}

interface ConnectionParts {
  readonly startGuard: StartGuard | undefined;
  readonly activity: Activity;
  readonly seat?: OwnSeatParts;
}

/**
 * The connection for all input, separate from the one for reading, so that its grabs and events do not affect reads. It uses either the user's keyboard
 * and pointer, or a seat of our own.
 */
export class InputConnection {
  readonly wire: X11Wire;
  readonly lock: LeaseLock;
  readonly held: HeldInput;
  readonly activity: Activity;
  readonly stopProperty: StopProperty;
  readonly hotKey: HotKey;
  readonly seat: OwnSeatParts | undefined;
  /** When any Deskterity process last sent input with the user's devices: seconds since 1970, and milliseconds. */
  readonly lastUse: RootProperty | undefined;
  /** Called before any press or motion is sent; throws to prevent it. */
  beforePress: (event: SentEvent) => void = () => undefined;
  #devices: Promise<InputDevices> | undefined;
  readonly #startGuard: StartGuard | undefined;
  #guard: ReleaseGuard | undefined;

  private constructor(wire: X11Wire, window: number, { startGuard, activity, seat }: ConnectionParts) {
    this.wire = wire;
    this.#startGuard = startGuard;
    this.seat = seat;
    this.lock = new LeaseLock(wire, window);
    this.held = new HeldInput(heldRecord(wire, seat !== undefined));
    this.activity = activity;
    this.stopProperty = new StopProperty(wire);
    this.hotKey = seat?.shared.hotKey ?? new HotKey(wire, window);
    this.lastUse = seat === undefined ? new RootProperty(wire, '_DESKTERITY_LAST_USE') : undefined;
  }

  /** For the user's keyboard and pointer. */
  static async open(wire: X11Wire, startGuard?: StartGuard): Promise<InputConnection> {
    const window = await prepare(wire);
    return new InputConnection(wire, window, { startGuard, activity: new UserActivity(wire) });
  }

  /**
   * For a seat of our own, which exists until {@link leave}. If this process ends without warning, the guard removes it.
   * @throws DeskterityError ACTION_NOT_SUPPORTED if the display cannot have one
   */
  static async openSeat(
    wire: X11Wire,
    shared: InputConnection,
    startGuard: StartGuard | undefined,
  ): Promise<InputConnection> {
    const window = await prepare(wire);
    const guard = startGuard?.();
    let devices: OwnDevices | undefined;
    try {
      devices = await OwnDevices.create(wire);
      const cursor = await NamedCursor.open(wire, devices);
      const keeper = await FocusKeeper.open(wire, devices, shared);
      const activity = await SeatActivity.open(wire, keeper, shared.activity);
      const seat = { devices, keeper, cursor, shared };
      const connection = new InputConnection(wire, window, { startGuard: undefined, activity, seat });
      connection.#guard = guard;
      wire.onLoss(() => connection.#endGuard());
      // It tells when acting is stopped.
      shared.wire.onLoss(() => wire.lose('the connection that is told to stop was closed'));
      return connection;
    } catch (error) {
      await devices?.remove().catch(() => undefined);
      guard?.end({ isClean: devices === undefined || devices.isRemoved });
      throw error;
    }
  }

  /** @throws DeskterityError ACTION_NOT_SUPPORTED if the display does not accept synthetic input */
  devices(): Promise<InputDevices> {
    this.#devices ??= this.#openDevices();
    return this.#devices;
  }

  /** Closes the connection. If held input may still be down, or a seat of ours is left, the guard sees to it. */
  close(): void {
    this.wire.close();
    this.#endGuard();
  }

  /** {@link close}, without a seat of ours that stays behind. */
  async leave(): Promise<void> {
    const { seat, wire } = this;
    if (seat !== undefined && !wire.isLost)
      await wire.within(remove(seat), 'removing a seat', { deadlineMs: LEAVE_MS }).catch(() => undefined);
    this.close();
  }

  #endGuard(): void {
    const isGone = this.seat === undefined || this.seat.devices.isRemoved;
    this.#guard?.end({ isClean: this.held.isClean && isGone });
    this.#guard = undefined;
  }

  /** Does what may make the window manager or an application move the user's keyboard focus. */
  keepingFocus<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    return this.seat === undefined ? work() : this.seat.keeper.keep(work, signal);
  }

  /** Moves the pointer, or turns its wheel if `to` is absent: window managers may make the window there active. */
  keepingUnder<T>(to: Point | undefined, work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    return this.seat === undefined ? work() : this.seat.keeper.keepUnder(to, work, signal);
  }

  /** Releases what the record says is down, and returns borrowed keys. We must own the lock. */
  async releaseLeftOver(): Promise<void> {
    const { fake, keyboard } = await this.devices();
    await this.held.releaseLeftOver(fake);
    await keyboard.restore();
    await fake.sync();
  }

  async #openDevices(): Promise<InputDevices> {
    this.#guard ??= this.#startGuard?.();
    this.wire.onLoss(() => this.#endGuard());
    const fake = await FakeInput.open(this.wire, (event) => {
      if (event.kind === 'motion' || event.isDown) this.beforePress(event);
      if (this.hotKey.isPressedBy(event, this.held.down)) throw wouldStop();
      this.held.beforeSend(event);
      this.activity.beforeSend(event);
    });
    return { fake, keyboard: await Keyboard.open(this.wire, fake, this.seat?.shared.wire) };
  }
}

async function remove({ cursor, devices }: OwnSeatParts): Promise<void> {
  await cursor.hide();
  await devices.remove();
}

/** Makes a window of ours, and selects the events that are needed. */
async function prepare(wire: X11Wire): Promise<number> {
  const window = wire.allocateId();
  await Promise.all([
    createInputOnlyWindow(wire, window),
    wire.call('ChangeWindowAttributes', wire.root, { eventMask: PROPERTY_CHANGE }),
    selectKeyboardChanges(wire),
  ]);
  return window;
}

interface InputConnectionsOptions {
  readonly open: (wire: X11Wire, options: CallOptions) => Promise<InputConnection>;
  /** Must resolve before any caller receives the connection. */
  readonly onOpened?: (connection: InputConnection) => Promise<void>;
}

/** Opens the input connection of a desktop on first use, and again after a loss. */
export class InputConnections {
  readonly #connect: (options: CallOptions) => Promise<X11Wire>;
  readonly #options: InputConnectionsOptions;
  #live: InputConnection | undefined;
  #attempt: Promise<InputConnection> | undefined;
  #abandon = new AbortController();

  constructor(connect: (options: CallOptions) => Promise<X11Wire>, options: InputConnectionsOptions) {
    this.#connect = connect;
    this.#options = options;
  }

  get live(): InputConnection | undefined {
    return this.#live?.wire.isLost === false ? this.#live : undefined;
  }

  /** @throws DeskterityError DISPLAY_UNAVAILABLE, TIMEOUT, CANCELLED */
  async get(options: CallOptions): Promise<InputConnection> {
    if (this.live) return this.live;
    this.#attempt ??= this.#open().finally(() => {
      this.#attempt = undefined;
    });
    return withDeadline(this.#attempt, 'of this desktop', 'connecting for input', options);
  }

  async close(): Promise<void> {
    this.#abandon.abort();
    this.#abandon = new AbortController();
    await this.#attempt?.catch(() => undefined);
    await this.#live?.leave();
    this.#live = undefined;
  }

  async #open(): Promise<InputConnection> {
    const options = { deadlineMs: CONNECT_MS, signal: this.#abandon.signal };
    const wire = await this.#connect(options);
    try {
      const connection = await this.#options.open(wire, options);
      await this.#options.onOpened?.(connection);
      this.#live = connection;
      return connection;
    } catch (error) {
      wire.close();
      throw error;
    }
  }
}

function wouldStop(): DeskterityError {
  return new DeskterityError('ACTION_NOT_SUPPORTED', `${HOT_KEY} is reserved for stopping all acting.`, {
    suggestion: `To stop acting, run ${mentionCommand('stop')}; for a program, use other keys.`,
  });
}
