import { mentionParameter } from '../../../../../model/text/mention.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { DeskterityError } from '../../../../../model/effects/errors.ts';
import { liveDeadline } from '../../../../../model/live-deadline.ts';
import type { CallOptions } from '../../../../../ports/call-options.ts';
import type { Point } from '../../../../../ports/input.ts';
import { PERSON } from '../../../../../ports/input.ts';
import { cancelled } from '../../../failures.ts';
import { CallTurns } from '../../input/call-turns.ts';
import { LeaseUsers } from '../../input/lease-users.ts';
import { leaseEnded } from '../../lease-errors.ts';
import { XProtocolError } from '../x11-errors.ts';
import { buttonCode } from './held-input.ts';
import type { InputConnection, InputDevices } from './input-connection.ts';

/** For the current call to end, and for the server to process the last events. */
const END_MS = 2000;
/** Added to the deadline so that inner deadlines, whose errors are more specific, pass first. */
const EXPLAIN_MS = 250;
const BUTTON_NAMES = [
  [1, 'left button'],
  [2, 'middle button'],
  [3, 'right button'],
] as const;

/** What one call uses to send input. */
export interface LeaseTools extends InputDevices {
  /** Aborted when nothing more may be sent: by the caller, the deadline or the end of the lease. */
  readonly signal: AbortSignal;
  /** Waits until the user is idle. Returns whether that took time. */
  readonly untilUserIdle: () => Promise<boolean>;
}

/** One holder's exclusive use of keyboard and pointer, shared by its callers. Their calls run one after the other. */
export class ActiveLease {
  readonly holder: string;
  readonly connection: InputConnection;
  /** Where this holder last moved the pointer. */
  pointer: Point | undefined;
  /** Server time of the first press: held input is recorded just before it goes down. */
  pressedAt: number | undefined;
  /** Of the last release that was recorded beforehand. */
  releasedAt: number | undefined;
  readonly #devices: InputDevices;
  readonly #onEnd: (lease: ActiveLease) => void;
  readonly #names = new Map<number, string>(BUTTON_NAMES.map(([button, name]) => [buttonCode(button), name]));
  readonly #ended = new AbortController();
  #reason: DeskterityError | undefined;
  #ending: Promise<readonly string[]> | undefined;
  readonly #turns = new CallTurns();
  readonly #users = new LeaseUsers(() => this.end(leaseEnded()));
  #sent = 0;
  #isWorking = false;

  private constructor(
    connection: InputConnection,
    holder: string,
    devices: InputDevices,
    onEnd: (lease: ActiveLease) => void,
  ) {
    this.connection = connection;
    this.holder = holder;
    this.#devices = devices;
    this.#onEnd = onEnd;
  }

  /** Releases what an earlier process left held, then starts. We must own the lock. */
  static async begin(
    connection: InputConnection,
    holder: string,
    onEnd: (lease: ActiveLease) => void,
  ): Promise<ActiveLease> {
    const devices = await connection.devices();
    const { held, activity, lastUse } = connection;
    connection.beforePress = () => undefined;
    const [seconds, milliseconds] = (await lastUse?.readNumbers()) ?? [];
    const ownAt = seconds === undefined ? undefined : seconds * 1000 + (milliseconds ?? 0);
    await activity.start(ownAt);
    activity.isOfPerson = holder === PERSON;
    // The process that had the hot-key so far may be gone.
    await connection.hotKey.listen();
    await connection.releaseLeftOver();
    activity.forget();
    const lease = new ActiveLease(connection, holder, devices, onEnd);
    const requireRunning = (): void => lease.#requireRunning();
    connection.beforePress = requireRunning;
    const listening = [
      () => {
        // The connection stays, and must not keep the lease: its reason has a stack, and V8 keeps all that the functions in it had, such as pictures.
        if (connection.beforePress === requireRunning) connection.beforePress = refusePress;
      },
      connection.wire.onLoss((reason) => void lease.end(reason)),
      connection.lock.onStolen(() => void lease.end(stolen())),
      connection.wire.onEvent((event) => {
        if (!held.isRecordedBy(event)) return;
        lease.pressedAt ??= event.time;
        lease.releasedAt = event.time;
      }),
    ];
    lease.#ended.signal.addEventListener('abort', () => {
      for (const stop of listening) stop();
    });
    return lease;
  }

  get isOver(): boolean {
    return this.#reason !== undefined;
  }

  /** Readable names of what is held, in order of pressing. */
  get held(): readonly string[] {
    if (this.#reason) return [];
    return this.connection.held.down
      .map((code) => this.#names.get(code))
      .filter((name) => name !== undefined);
  }

  /** Adds a user; the last one to {@link release} it ends the lease. */
  retain(): this {
    // Keys that an earlier user pressed and that are still held do not count for this one.
    if (this.#users.isEmpty) this.pressedAt = this.releasedAt = undefined;
    this.#users.add();
    return this;
  }

  release(keep: boolean): Promise<void> {
    return this.#users.remove({ mustKeep: () => keep && this.held.length > 0 });
  }

  /** Sets the readable name of a held key. */
  name(keycode: number, name: string): void {
    this.#names.set(keycode, name);
  }

  /** The keycode of a held key with this name. */
  keycodeOf(name: string): number | undefined {
    return this.connection.held.down.find((code) => this.#names.get(code) === name);
  }

  /**
   * Runs one call in its turn, once the user is idle. If it fails, whatever it pressed is released.
   * @param presses false if nothing is pressed: what the pointer is on before it moves is not acted on
   * @throws DeskterityError as {@link InputLease} describes
   */
  async run<T>(
    doing: string,
    call: CallOptions,
    work: (tools: LeaseTools) => Promise<T>,
    { presses = true } = {},
  ): Promise<T> {
    const options = liveDeadline(call, performance);
    return this.#turns.run(
      (before) => this.connection.wire.within(before, `waiting before ${doing}`, options),
      () => this.#perform(doing, options, work, presses),
    );
  }

  /** Releases everything and ends the lease; later calls fail with `reason`. Returns the names of what was held. Never rejects. */
  end(reason: DeskterityError): Promise<readonly string[]> {
    this.#ending ??= this.#end(reason);
    return this.#ending;
  }

  async #perform<T>(
    doing: string,
    options: CallOptions,
    work: (tools: LeaseTools) => Promise<T>,
    presses: boolean,
  ): Promise<T> {
    const { connection } = this;
    const before = new Set(connection.held.down);
    const timer = new AbortController();
    const timeout = setTimeout(() => timer.abort(), options.deadlineMs);
    const signals = [timer.signal, this.#ended.signal, ...(options.signal ? [options.signal] : [])];
    const signal = AbortSignal.any(signals);
    const limits = { deadlineMs: options.deadlineMs + EXPLAIN_MS, signal: undefined };
    let failure: unknown;
    const finish = async (): Promise<T> => {
      const untilUserIdle = () =>
        connection.activity.untilIdle({ deadlineMs: options.deadlineMs, signal }, connection.held.down);
      await untilUserIdle();
      if (presses) await connection.seat?.keeper.noteAct();
      connection.seat?.cursor.show(this.holder);
      const result = await work({ ...this.#devices, signal, untilUserIdle });
      connection.seat?.cursor.show(this.holder);
      await this.#devices.fake.sync();
      return result;
    };
    this.#sent = 0;
    this.#isWorking = true;
    this.#users.begin();
    try {
      if (signal.aborted) signal.throwIfAborted();
      const finished = finish().catch((error: unknown) => {
        failure = error;
        throw error;
      });
      return await connection.wire.within(finished, doing, limits);
    } catch (error) {
      this.#isWorking = false;
      await this.#releaseNew(before);
      // An error from the caller's own check is passed on unchanged.
      const cause = failure instanceof XProtocolError ? error : (failure ?? error);
      throw this.#explain(cause, doing, options, timer.signal.aborted);
    } finally {
      this.#isWorking = false;
      clearTimeout(timeout);
      connection.activity.forget();
      if (!connection.wire.isLost) connection.held.settle();
      this.#users.rest();
    }
  }

  async #releaseNew(before: ReadonlySet<number>): Promise<void> {
    const { held, wire } = this.connection;
    if (wire.isLost) return;
    const { fake } = this.#devices;
    held.release(
      fake,
      held.down.filter((code) => !before.has(code)),
    );
    // Only then is it known which of our events the server reports.
    const limit = { deadlineMs: END_MS };
    await wire.within(fake.sync(), 'releasing keys', limit).catch(() => undefined);
  }

  #requireRunning(): void {
    if (this.#reason) throw this.#reason;
    if (!this.#isWorking) throw leaseEnded();
    this.#sent++;
  }

  #explain(error: unknown, doing: string, { signal, deadlineMs }: CallOptions, isLate: boolean): unknown {
    const delivered = this.#sent > 0;
    if (this.#reason) return this.#reason.with({ delivered, cause: error });
    if (error instanceof DeskterityError && error.code !== 'CANCELLED' && error.code !== 'INTERNAL')
      return error.delivered === undefined ? error.with({ delivered }) : error;
    if (signal?.aborted) {
      return cancelled(`Cancelled while ${doing}.`, { delivered, cause: error });
    }
    if (!isLate) return error;
    return new DeskterityError('TIMEOUT', `Time ran out while ${doing}.`, {
      suggestion: `Raise ${mentionParameter('timeout_ms')}.`,
      retryable: !delivered,
      delivered,
      platformDetail: `${Math.round(deadlineMs)} ms left`,
      cause: error,
    });
  }

  async #end(reason: DeskterityError): Promise<readonly string[]> {
    const { connection } = this;
    const { held, wire } = connection;
    const names = this.held;
    this.#reason = reason;
    this.#users.begin();
    try {
      // First and immediately, so that nothing stays down during the waits below.
      if (!wire.isLost) held.release(this.#devices.fake);
      this.#ended.abort();
      await Promise.race([this.#turns.idle, sleep(END_MS, undefined, { ref: false })]);
      if (!wire.isLost) await wire.within(this.#cleanUp(), 'ending the input lease', { deadlineMs: END_MS });
    } catch {
      // The display is lost or not responding: closing the connection frees the lock, and the next holder releases what is recorded as held.
      connection.close();
    }
    this.#onEnd(this);
    return names;
  }

  async #cleanUp(): Promise<void> {
    const { held, activity, lock, lastUse } = this.connection;
    await this.#devices.keyboard.restore();
    held.release(this.#devices.fake);
    held.settle();
    activity.stop();
    const now = Date.now();
    void lastUse?.writeNumbers([Math.floor(now / 1000), now % 1000]).catch(() => undefined);
    await lock.release();
    await this.connection.wire.sync();
  }
}

/** @throws DeskterityError, since nobody has the lease */
function refusePress(): never {
  throw leaseEnded();
}

function stolen(): DeskterityError {
  return new DeskterityError('CONFLICT', 'Another program took the lock on keyboard and pointer.', {
    suggestion: 'Find the program that owns the X selection _DESKTERITY_INPUT, and close it.',
    delivered: false,
  });
}
