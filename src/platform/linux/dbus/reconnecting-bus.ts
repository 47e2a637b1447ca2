import { BusError, LOCAL_ERROR, toBusError } from './bus-error.ts';
import type { BusConnection } from './connection.ts';
import { type CallSettings, Deadline, remaining, within } from './deadline.ts';

/** Makes a connection; gets the deadline of the caller that needs it first. */
export type ConnectFunction = (settings: CallSettings) => Promise<BusConnection>;

/** Sets up a connection that replaced a lost one: match rules, registrations. */
export type ReconnectHandler = (connection: BusConnection) => void | Promise<void>;

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 2_000;

/** Keeps a connection: gives the live one, or makes a new one when it is asked for and the old one has ended. */
export class ReconnectingBus {
  readonly #connect: ConnectFunction;
  readonly #handlers = new Set<ReconnectHandler>();
  #live: BusConnection | undefined;
  #attempt: Promise<BusConnection> | undefined;
  #hadOne = false;
  #failures = 0;
  #failedAt = 0;
  #closed = false;

  constructor(connect: ConnectFunction) {
    this.#connect = connect;
  }

  /**
   * The live connection. One attempt runs at a time, whoever asks; after failures the next attempt waits 50 ms,
   * then twice as long each time, up to 2 s. Fails with what the attempt failed with, or with `local.Timeout` or
   * `local.Cancelled` where this caller's patience ends first.
   */
  async connection(settings: CallSettings): Promise<BusConnection> {
    const spent = Deadline.spent(settings);
    if (spent !== undefined) throw spent;
    if (this.#closed) throw new BusError(LOCAL_ERROR.DISCONNECTED, 'the bus was closed');
    if (this.#live?.closed === false) return this.#live;
    const startedAt = performance.now();
    const isJoining = this.#attempt !== undefined;
    this.#attempt ??= this.#try({ deadlineMs: settings.deadlineMs }).finally(() => {
      this.#attempt = undefined;
    });
    try {
      return await within(this.#attempt, settings);
    } catch (error) {
      const left = remaining(settings, startedAt);
      // The attempt had the deadline of somebody less patient.
      const isTheirs = isJoining && error instanceof BusError && error.errorName === LOCAL_ERROR.TIMEOUT;
      if (isTheirs && Deadline.spent(left) === undefined) return await this.connection(left);
      throw error;
    }
  }

  /** Calls a handler with every connection after the first, before anybody else gets it. */
  onReconnect(handler: ReconnectHandler): () => void {
    this.#handlers.add(handler);
    return () => void this.#handlers.delete(handler);
  }

  /** Closes the connection; no new one is made. */
  close(): void {
    this.#closed = true;
    this.#live?.close();
  }

  async #try(settings: CallSettings): Promise<BusConnection> {
    await this.#pause();
    try {
      const connection = await this.#connect(settings);
      await this.#adopt(connection);
      this.#failures = 0;
      return connection;
    } catch (error) {
      this.#failures++;
      this.#failedAt = performance.now();
      throw toBusError(error, LOCAL_ERROR.DISCONNECTED);
    }
  }

  async #adopt(connection: BusConnection): Promise<void> {
    try {
      if (this.#hadOne) for (const handler of this.#handlers) await handler(connection);
      if (this.#closed) throw new BusError(LOCAL_ERROR.DISCONNECTED, 'the bus was closed');
    } catch (error) {
      connection.close();
      throw error;
    }
    this.#hadOne = true;
    this.#live = connection;
  }

  async #pause(): Promise<void> {
    if (this.#failures === 0) return;
    const pause = Math.min(FIRST_PAUSE_MS * 2 ** (this.#failures - 1), LONGEST_PAUSE_MS);
    const left = this.#failedAt + pause - performance.now();
    if (left > 0) await new Promise((resolve) => setTimeout(resolve, left));
  }
}
