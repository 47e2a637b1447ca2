import { setTimeout as sleep } from 'node:timers/promises';
import { DeskterityError } from '../../../../../model/effects/errors.ts';
import { liveDeadline } from '../../../../../model/live-deadline.ts';
import type { CallOptions } from '../../../../../ports/call-options.ts';
import type { InputLease, InputPort, Point, StopState } from '../../../../../ports/input.ts';
import type { ServerClock } from '../server-clock.ts';
import { cancelled } from '../../../failures.ts';
import { unsupportedPart } from '../../missing-parts.ts';
import { isRefused, releasedElsewhere, stopped, taken, type HolderName } from '../../lease-errors.ts';
import { ActiveLease } from './active-lease.ts';
import type { InputConnections } from './input-connection.ts';
import { InputSource } from './input-source.ts';
import { readPointer } from './pointer.ts';
import { X11InputLease } from './x11-input-lease.ts';

const RETRY_MS = 20;

interface Ticket {
  readonly holder: string;
}

/** Keyboard and pointer of an X display, through XTEST. */
export class X11Input implements InputPort {
  readonly #connections: InputConnections;
  readonly #clock: ServerClock;
  /** Waiting callers, served in order. */
  readonly #waiting: Ticket[] = [];
  #lease: ActiveLease | undefined;
  #stopped: StopState | undefined;

  constructor(connections: InputConnections, clock: ServerClock) {
    this.#connections = connections;
    this.#clock = clock;
  }

  async pointer(call: CallOptions): Promise<Point> {
    const options = liveDeadline(call, performance);
    const { wire } = await this.#connections.get(options);
    return wire.within(readPointer(wire), 'reading the pointer position', options);
  }

  async reportsUserInput(call: CallOptions): Promise<boolean> {
    const options = liveDeadline(call, performance);
    const { activity, wire } = await this.#connections.get(options);
    return wire.within(activity.isDetectable(), 'querying the X Input Extension', options);
  }

  async watchUser(
    listener: (who: 'user' | 'unknown' | 'lost') => void,
    call: CallOptions,
  ): Promise<() => void> {
    const options = liveDeadline(call, performance);
    const { activity, wire, lock } = await this.#connections.get(options);
    const isReported = await wire.within(activity.isDetectable(), 'querying the X Input Extension', options);
    if (!isReported) throw unsupportedPart('input');
    const source = new InputSource(lock, listener);
    const stop = await wire.within(
      activity.watch(() => source.note()),
      'listening for keys and buttons',
      options,
    );
    const forget = wire.onLoss(() => listener('lost'));
    return () => {
      forget();
      if (!wire.isLost) stop();
    };
  }

  async take(holder: string, call: CallOptions): Promise<InputLease> {
    const end = performance.now() + call.deadlineMs;
    const options = liveDeadline(call, performance);
    const connection = await this.#connections.get(options);
    await connection.wire.within(connection.devices(), 'preparing input', options);
    const ticket: Ticket = { holder };
    this.#waiting.push(ticket);
    let last: HolderName | undefined;
    try {
      for (;;) {
        const outcome = await this.#tryTake(ticket, options).catch((error: unknown) => {
          // The last of many attempts may have had no time left for a reply.
          throw last && isTimeout(error) ? taken(last) : error;
        });
        if (outcome instanceof ActiveLease) return new X11InputLease(outcome.retain(), this.#clock);
        if (performance.now() + RETRY_MS > end) throw taken(outcome);
        last = outcome;
        await sleep(RETRY_MS, undefined, { signal: options.signal }).catch((error: unknown) => {
          throw cancelled('Cancelled while waiting for keyboard and pointer.', {
            delivered: false,
            cause: error,
          });
        });
      }
    } finally {
      this.#waiting.splice(this.#waiting.indexOf(ticket), 1);
    }
  }

  async release(holder?: string): Promise<readonly string[]> {
    const lease = this.#lease;
    if (lease === undefined || (holder !== undefined && holder !== lease.holder)) return [];
    return lease.end(releasedElsewhere());
  }

  /** Ends the current lease immediately and refuses new ones until {@link resume}, except that of a person who has taken over. */
  async stop(state: StopState): Promise<void> {
    this.#stopped = state;
    if (this.#lease !== undefined && isRefused(this.#lease.holder, state))
      await this.#lease.end(stopped(state));
  }

  resume(): void {
    this.#stopped = undefined;
  }

  async #tryTake(ticket: Ticket, options: CallOptions): Promise<ActiveLease | HolderName> {
    if (this.#stopped && isRefused(ticket.holder, this.#stopped)) throw stopped(this.#stopped);
    const current = this.#lease;
    if (current) {
      const isTheirs = current.holder === ticket.holder && !current.isOver;
      return isTheirs ? current : { holder: current.holder };
    }
    const [first = ticket] = this.#waiting;
    if (first !== ticket) return first;
    const connection = await this.#connections.get(options);
    const { lock, wire } = connection;
    const taking = lock.tryTake(ticket.holder);
    try {
      const other = await wire.within(taking, 'taking keyboard and pointer', options);
      if (other) return other;
      const lease = ActiveLease.begin(connection, ticket.holder, (ended) => {
        if (this.#lease === ended) this.#lease = undefined;
      });
      this.#lease = await wire.within(lease, 'taking keyboard and pointer', options);
      if (this.#stopped && isRefused(ticket.holder, this.#stopped))
        await this.#lease.end(stopped(this.#stopped));
      return this.#lease;
    } catch (error) {
      // The lock may still become ours unnoticed.
      taking.then((other) => (other ? undefined : lock.release())).catch(() => undefined);
      throw error;
    }
  }
}

function isTimeout(error: unknown): boolean {
  return error instanceof DeskterityError && error.code === 'TIMEOUT';
}
