import { mentionParameter } from '../../../../../model/text/mention.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { DeskterityError } from '../../../../../model/effects/errors.ts';
import { liveDeadline } from '../../../../../model/live-deadline.ts';
import type { CallOptions } from '../../../../../ports/desktop.ts';
import type { Point } from '../../../../../ports/input.ts';
import { withDeadline, XProtocolError } from '../x11-errors.ts';
import { buttonCode } from './held-input.ts';
import type { InputConnection, Instruments } from './input-connection.ts';

/** What is kept held and not used for so long is released. */
const IDLE_MS = 30_000;
/** For the end of what is under way, and for the server to take the last events. */
const END_MS = 2000;
/** A little more than those below have, who can say what they wait for. */
const EXPLAIN_MS = 250;
const BUTTON_NAMES = [
  [1, 'left button'],
  [2, 'middle button'],
  [3, 'right button'],
] as const;

/** What one call has to send with. */
export interface Work extends Instruments {
  /** Aborted when nothing more may be sent: the caller, the deadline, the end of the grip. */
  readonly signal: AbortSignal;
  /** Waits until the user's hands are off. Answers whether that took time. */
  readonly quiet: () => Promise<boolean>;
}

/** One holder's time with keyboard and pointer, from taking them to giving them back. Its calls run one after the other. */
export class Grip {
  readonly holder: string;
  readonly connection: InputConnection;
  /** Where this holder left the pointer. */
  place: Point | undefined;
  /** When the first key or button went down, by the server's clock: what goes down is noted just before. */
  pressedAt: number | undefined;
  readonly #instruments: Instruments;
  readonly #onEnd: (grip: Grip) => void;
  readonly #names = new Map<number, string>(BUTTON_NAMES.map(([button, name]) => [buttonCode(button), name]));
  readonly #over = new AbortController();
  #reason: DeskterityError | undefined;
  #ending: Promise<readonly string[]> | undefined;
  #turn: Promise<void> = Promise.resolve();
  #lent = 0;
  #idle: NodeJS.Timeout | undefined;
  #sent = 0;
  #isWorking = false;

  private constructor(
    connection: InputConnection,
    holder: string,
    instruments: Instruments,
    onEnd: (grip: Grip) => void,
  ) {
    this.connection = connection;
    this.holder = holder;
    this.#instruments = instruments;
    this.#onEnd = onEnd;
  }

  /** Starts with what was left behind released. The lock must be ours. */
  static async begin(
    connection: InputConnection,
    holder: string,
    onEnd: (grip: Grip) => void,
  ): Promise<Grip> {
    const instruments = await connection.instruments();
    const { held, activity, lastUse } = connection;
    connection.mayPress = () => undefined;
    const [seconds, milliseconds] = await lastUse.readNumbers();
    const ownAt = seconds === undefined ? undefined : seconds * 1000 + (milliseconds ?? 0);
    await activity.start(ownAt);
    // Whoever had it until now may be gone.
    await connection.hotKey.listen();
    await held.releaseLeftOver(instruments.fake);
    await instruments.keyboard.restore();
    await instruments.fake.sync();
    activity.forget();
    const grip = new Grip(connection, holder, instruments, onEnd);
    connection.mayPress = () => grip.#requireLeave();
    const listening = [
      connection.wire.onLoss((reason) => void grip.end(reason)),
      connection.lock.onStolen(() => void grip.end(stolen())),
      connection.wire.onEvent((event) => {
        if (held.isNotedBy(event)) grip.pressedAt ??= event.time;
      }),
    ];
    grip.#over.signal.addEventListener('abort', () => {
      for (const stop of listening) stop();
    });
    return grip;
  }

  get isOver(): boolean {
    return this.#reason !== undefined;
  }

  /** In words, in the order in which they went down. */
  get held(): readonly string[] {
    if (this.#reason) return [];
    return this.connection.held.down
      .map((code) => this.#names.get(code))
      .filter((name) => name !== undefined);
  }

  /** Counts who uses it: the last one to give it back ends it. */
  lend(): this {
    // What was pressed for an earlier borrower, and is held still, says nothing of what this one does.
    if (this.#lent === 0) this.pressedAt = undefined;
    this.#lent++;
    clearTimeout(this.#idle);
    return this;
  }

  async giveBack(keep: boolean): Promise<void> {
    this.#lent--;
    if (this.#lent > 0) return;
    if (keep && this.held.length > 0) this.#waitIdle();
    else await this.end(givenBack());
  }

  /** How a key that is held down is called. */
  name(keycode: number, name: string): void {
    this.#names.set(keycode, name);
  }

  /** The keycode of a key that is held down by this name. */
  keycodeOf(name: string): number | undefined {
    return this.connection.held.down.find((code) => this.#names.get(code) === name);
  }

  /**
   * Runs one call when its turn has come and the user's hands are off. What it pressed and did not release is released when it fails.
   * @throws DeskterityError as {@link InputLease} says
   */
  async run<T>(doing: string, call: CallOptions, work: (work: Work) => Promise<T>): Promise<T> {
    const options = liveDeadline(call, () => performance.now());
    const previous = this.#turn;
    let finish = (): void => undefined;
    this.#turn = new Promise((resolve) => {
      finish = resolve;
    });
    try {
      await withDeadline(previous, this.connection.wire.display, `waiting before ${doing}`, options);
      return await this.#perform(doing, options, work);
    } finally {
      void previous.then(finish);
    }
  }

  /** Releases everything and gives keyboard and pointer back; what is called after that fails with `reason`. Never rejects. */
  end(reason: DeskterityError): Promise<readonly string[]> {
    this.#ending ??= this.#end(reason);
    return this.#ending;
  }

  async #perform<T>(doing: string, options: CallOptions, work: (work: Work) => Promise<T>): Promise<T> {
    const { connection } = this;
    const before = new Set(connection.held.down);
    const timer = new AbortController();
    const timeout = setTimeout(() => timer.abort(), options.deadlineMs);
    const signals = [timer.signal, this.#over.signal, ...(options.signal ? [options.signal] : [])];
    const signal = AbortSignal.any(signals);
    const limits = { deadlineMs: options.deadlineMs + EXPLAIN_MS, signal: undefined };
    let failure: unknown;
    const finish = async (): Promise<T> => {
      const quiet = () =>
        connection.activity.quiet({ deadlineMs: options.deadlineMs, signal }, connection.held.down);
      await quiet();
      const result = await work({ ...this.#instruments, signal, quiet });
      await this.#instruments.fake.sync();
      return result;
    };
    this.#sent = 0;
    this.#isWorking = true;
    clearTimeout(this.#idle);
    try {
      if (signal.aborted) signal.throwIfAborted();
      const finished = finish().catch((error: unknown) => {
        failure = error;
        throw error;
      });
      return await withDeadline(finished, connection.wire.display, doing, limits);
    } catch (error) {
      this.#isWorking = false;
      await this.#letGo(before);
      // What a caller's own check threw is the caller's, as it is.
      const cause = failure instanceof XProtocolError ? error : (failure ?? error);
      throw this.#explain(cause, doing, options, timer.signal.aborted);
    } finally {
      this.#isWorking = false;
      clearTimeout(timeout);
      connection.activity.forget();
      if (!connection.wire.isLost) connection.held.settle();
      if (this.#lent === 0) this.#waitIdle();
    }
  }

  async #letGo(before: ReadonlySet<number>): Promise<void> {
    const { held, wire } = this.connection;
    if (wire.isLost) return;
    const { fake } = this.#instruments;
    held.release(
      fake,
      held.down.filter((code) => !before.has(code)),
    );
    // Only after that is it known which of our events the server reports.
    const limit = { deadlineMs: END_MS };
    await withDeadline(fake.sync(), wire.display, 'releasing keys', limit).catch(() => undefined);
  }

  #requireLeave(): void {
    if (this.#reason) throw this.#reason;
    if (!this.#isWorking) throw givenBack();
    this.#sent++;
  }

  #explain(error: unknown, doing: string, { signal, deadlineMs }: CallOptions, isLate: boolean): unknown {
    const delivered = this.#sent > 0;
    if (this.#reason) return again(this.#reason, delivered, error);
    if (error instanceof DeskterityError && error.code !== 'CANCELLED' && error.code !== 'INTERNAL')
      return error.delivered === undefined ? again(error, delivered, error) : error;
    if (signal?.aborted) {
      return new DeskterityError('CANCELLED', `Cancelled while ${doing}.`, {
        suggestion: 'Repeat the command if it is still wanted.',
        delivered,
        cause: error,
      });
    }
    if (!isLate) return error;
    return new DeskterityError('TIMEOUT', `There was not enough time for ${doing}.`, {
      suggestion: `Raise ${mentionParameter('timeout_ms')}.`,
      retryable: !delivered,
      delivered,
      platformDetail: `${Math.round(deadlineMs)} ms left`,
      cause: error,
    });
  }

  #waitIdle(): void {
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => void this.end(givenBack()), IDLE_MS).unref();
  }

  async #end(reason: DeskterityError): Promise<readonly string[]> {
    const { connection } = this;
    const { held, wire } = connection;
    const words = this.held;
    this.#reason = reason;
    clearTimeout(this.#idle);
    try {
      // First of all, and at once: nothing stays down while the rest is waited for.
      if (!wire.isLost) held.release(this.#instruments.fake);
      this.#over.abort();
      await Promise.race([this.#turn, sleep(END_MS, undefined, { ref: false })]);
      if (!wire.isLost)
        await withDeadline(this.#leave(), wire.display, 'giving back', { deadlineMs: END_MS });
    } catch {
      // The display is lost or does not answer: then the lock ends with the connection, and whoever comes next releases what is noted.
      wire.close();
    }
    this.#onEnd(this);
    return words;
  }

  async #leave(): Promise<void> {
    const { held, activity, lock, lastUse } = this.connection;
    await this.#instruments.keyboard.restore();
    held.release(this.#instruments.fake);
    held.settle();
    activity.stop();
    const now = Date.now();
    void lastUse.writeNumbers([Math.floor(now / 1000), now % 1000]).catch(() => undefined);
    await lock.release();
    await this.connection.sync();
  }
}

function givenBack(): DeskterityError {
  return new DeskterityError('CONFLICT', 'Keyboard and pointer were given back or taken away.', {
    suggestion: 'Repeat the command.',
    retryable: true,
    delivered: false,
  });
}

function stolen(): DeskterityError {
  return new DeskterityError('CONFLICT', 'Another program took keyboard and pointer by force.', {
    suggestion: 'Find out which one uses the X selection _DESKTERITY_INPUT, and end it.',
    delivered: false,
  });
}

/** The same failure, with whether anything was sent before it. */
function again(error: DeskterityError, delivered: boolean, cause: unknown): DeskterityError {
  return new DeskterityError(error.code, error.message, {
    suggestion: error.suggestion,
    retryable: error.retryable,
    ...(error.platformDetail === undefined ? {} : { platformDetail: error.platformDetail }),
    delivered,
    cause,
  });
}
