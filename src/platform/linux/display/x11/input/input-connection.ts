import { mentionCommand } from '../../../../../model/text/mention.ts';
import { DeskterityError } from '../../../../../model/effects/errors.ts';
import type { CallOptions } from '../../../../../ports/desktop.ts';
import { PROPERTY_CHANGE } from '../clipboard/selection-client.ts';
import type { X11Wire } from '../wire.ts';
import { withDeadline } from '../x11-errors.ts';
import { FakeInput } from './fake-input.ts';
import type { SentEvent } from './fake-input.ts';
import { LeaseLock } from './lease-lock.ts';
import { HeldInput } from './held-input.ts';
import { HOT_KEY, HotKey } from './hot-key.ts';
import { hearKeyboardChanges } from './keyboard/keyboard-changes.ts';
import { Keyboard } from './keyboard/keyboard.ts';
import { RootProperty } from './root-property.ts';
import { StopNote } from './stop-note.ts';
import { UserActivity } from './user-activity.ts';

const INPUT_ONLY = 2;
/** An attempt serves all who wait for it, however patient they are. */
const CONNECT_MS = 10_000;

/** What sends keys and moves the pointer. */
export interface Instruments {
  readonly fake: FakeInput;
  readonly keyboard: Keyboard;
}

/** The connection that all input goes through, apart from the one we read on: what it grabs and listens to disturbs no reader. */
export class InputConnection {
  readonly wire: X11Wire;
  readonly lock: LeaseLock;
  readonly held: HeldInput;
  readonly activity: UserActivity;
  readonly stopNote: StopNote;
  readonly hotKey: HotKey;
  /** When Deskterity, in whatever process, last sent something here: seconds since 1970, and milliseconds. */
  readonly lastUse: RootProperty;
  /** Asked before anything goes down or moves; what it throws keeps it from being sent. */
  mayPress: (event: SentEvent) => void = () => undefined;
  #instruments: Promise<Instruments> | undefined;

  private constructor(
    wire: X11Wire,
    parts: Pick<InputConnection, 'lock' | 'stopNote' | 'hotKey' | 'lastUse'> & {
      readonly note: RootProperty;
    },
  ) {
    this.wire = wire;
    this.lock = parts.lock;
    this.stopNote = parts.stopNote;
    this.hotKey = parts.hotKey;
    this.lastUse = parts.lastUse;
    this.held = new HeldInput(parts.note);
    this.activity = new UserActivity(wire);
  }

  static async open(wire: X11Wire): Promise<InputConnection> {
    const window = wire.allocateId();
    const values = { eventMask: PROPERTY_CHANGE };
    const [, , lock, stopNote, hotKey, lastUse, note] = await Promise.all([
      wire.request<undefined>((client, done) => {
        client.CreateWindow(window, wire.root, -1, -1, 1, 1, 0, 0, INPUT_ONLY, 0, values, done);
      }),
      wire.request<undefined>((client, done) => {
        client.ChangeWindowAttributes(wire.root, values, done);
      }),
      LeaseLock.open(wire, window),
      StopNote.open(wire),
      HotKey.open(wire, window),
      RootProperty.open(wire, '_DESKTERITY_LAST_USE'),
      RootProperty.open(wire, '_DESKTERITY_HELD'),
      hearKeyboardChanges(wire),
    ]);
    return new InputConnection(wire, { lock, stopNote, hotKey, lastUse, note });
  }

  /** @throws DeskterityError ACTION_NOT_SUPPORTED where the display takes no synthetic input */
  instruments(): Promise<Instruments> {
    this.#instruments ??= this.#openInstruments();
    return this.#instruments;
  }

  /** Resolves when the server has taken all that was sent. */
  async sync(): Promise<void> {
    await this.wire.request((client, done) => {
      client.GetInputFocus(done);
    });
  }

  async #openInstruments(): Promise<Instruments> {
    const fake = await FakeInput.open(this.wire, (event) => {
      if (event.kind === 'motion' || event.isDown) this.mayPress(event);
      if (this.hotKey.isPressedBy(event, this.held.down)) throw wouldStop();
      this.held.beforeSend(event);
      this.activity.beforeSend(event);
    });
    return { fake, keyboard: await Keyboard.open(this.wire, fake) };
  }
}

/** Input connections of a desktop: made on first use, and anew when one was lost. */
export class InputConnections {
  readonly #connect: (options: CallOptions) => Promise<X11Wire>;
  readonly #onOpened: (connection: InputConnection) => Promise<void>;
  #live: InputConnection | undefined;
  #attempt: Promise<InputConnection> | undefined;
  #abandon = new AbortController();

  /** @param onOpened is waited for before anybody gets the connection */
  constructor(
    connect: (options: CallOptions) => Promise<X11Wire>,
    onOpened: (connection: InputConnection) => Promise<void>,
  ) {
    this.#connect = connect;
    this.#onOpened = onOpened;
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
    this.#live?.wire.close();
    this.#live = undefined;
  }

  async #open(): Promise<InputConnection> {
    const wire = await this.#connect({ deadlineMs: CONNECT_MS, signal: this.#abandon.signal });
    try {
      const connection = await InputConnection.open(wire);
      await this.#onOpened(connection);
      this.#live = connection;
      return connection;
    } catch (error) {
      wire.close();
      throw error;
    }
  }
}

function wouldStop(): DeskterityError {
  return new DeskterityError('ACTION_NOT_SUPPORTED', `${HOT_KEY} is what stops all acting.`, {
    suggestion: `To stop acting, run ${mentionCommand('stop')}; for a program, use other keys.`,
  });
}
