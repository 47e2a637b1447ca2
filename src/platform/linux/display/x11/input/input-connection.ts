import { mentionCommand } from '../../../../../model/text/mention.ts';
import { DeskterityError } from '../../../../../model/effects/errors.ts';
import type { CallOptions } from '../../../../../ports/call-options.ts';
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
import { UserActivity } from './user-activity.ts';

/** One attempt serves all waiting callers, whatever their deadlines. */
const CONNECT_MS = 10_000;

/** `undefined` if there is no program for it. */
export type StartGuard = () => ReleaseGuard | undefined;

/** Sends keys and moves the pointer. */
export interface InputDevices {
  readonly fake: FakeInput;
  readonly keyboard: Keyboard;
}

/** The connection for all input, separate from the one for reading, so that its grabs and events do not affect reads. */
export class InputConnection {
  readonly wire: X11Wire;
  readonly lock: LeaseLock;
  readonly held: HeldInput;
  readonly activity: UserActivity;
  readonly stopProperty: StopProperty;
  readonly hotKey: HotKey;
  /** When any Deskterity process last sent input here: seconds since 1970, and milliseconds. */
  readonly lastUse: RootProperty;
  /** Called before any press or motion is sent; throws to prevent it. */
  beforePress: (event: SentEvent) => void = () => undefined;
  #devices: Promise<InputDevices> | undefined;
  readonly #startGuard: StartGuard | undefined;
  #guard: ReleaseGuard | undefined;

  private constructor(wire: X11Wire, window: number, startGuard: StartGuard | undefined) {
    this.wire = wire;
    this.#startGuard = startGuard;
    this.lock = new LeaseLock(wire, window);
    this.held = new HeldInput(heldRecord(wire));
    this.activity = new UserActivity(wire);
    this.stopProperty = new StopProperty(wire);
    this.hotKey = new HotKey(wire, window);
    this.lastUse = new RootProperty(wire, '_DESKTERITY_LAST_USE');
  }

  static async open(wire: X11Wire, startGuard?: StartGuard): Promise<InputConnection> {
    const window = wire.allocateId();
    await Promise.all([
      createInputOnlyWindow(wire, window),
      wire.call('ChangeWindowAttributes', wire.root, { eventMask: PROPERTY_CHANGE }),
      selectKeyboardChanges(wire),
    ]);
    return new InputConnection(wire, window, startGuard);
  }

  /** @throws DeskterityError ACTION_NOT_SUPPORTED if the display does not accept synthetic input */
  devices(): Promise<InputDevices> {
    this.#devices ??= this.#openDevices();
    return this.#devices;
  }

  /** Closes the connection. If held input may still be down, the guard releases it. */
  close(): void {
    this.wire.close();
    this.#endGuard();
  }

  #endGuard(): void {
    this.#guard?.end({ isClean: this.held.isClean });
    this.#guard = undefined;
  }

  /** Releases what the record says is down, and returns borrowed keys. We must own the lock. */
  async releaseLeftOver(): Promise<void> {
    const { fake, keyboard } = await this.devices();
    await this.held.releaseLeftOver(fake);
    await keyboard.restore();
    await fake.sync();
  }

  async #openDevices(): Promise<InputDevices> {
    this.#guard = this.#startGuard?.();
    this.wire.onLoss(() => this.#endGuard());
    const fake = await FakeInput.open(this.wire, (event) => {
      if (event.kind === 'motion' || event.isDown) this.beforePress(event);
      if (this.hotKey.isPressedBy(event, this.held.down)) throw wouldStop();
      this.held.beforeSend(event);
      this.activity.beforeSend(event);
    });
    return { fake, keyboard: await Keyboard.open(this.wire, fake) };
  }
}

interface InputConnectionsOptions {
  /** Must resolve before any caller receives the connection. */
  readonly onOpened: (connection: InputConnection) => Promise<void>;
  /** Starts what releases held input if this process is killed; absent if nothing does. */
  readonly startGuard: StartGuard | undefined;
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
    this.#live?.close();
    this.#live = undefined;
  }

  async #open(): Promise<InputConnection> {
    const wire = await this.#connect({ deadlineMs: CONNECT_MS, signal: this.#abandon.signal });
    try {
      const connection = await InputConnection.open(wire, this.#options.startGuard);
      await this.#options.onOpened(connection);
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
