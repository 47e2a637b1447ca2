import { endIfLate } from '../../waiting.ts';
import { liveDeadline } from '../../../../../model/live-deadline.ts';
import type { CallOptions } from '../../../../../ports/call-options.ts';
import type { InputLease, InputPort, Point, StopState } from '../../../../../ports/input.ts';
import type { ServerClock } from '../server-clock.ts';
import { LeaseQueue } from '../../input/lease-queue.ts';
import type { HolderName } from '../../lease-errors.ts';
import { unsupportedPart } from '../../missing-parts.ts';
import { ActiveLease } from './active-lease.ts';
import type { InputConnections } from './input-connection.ts';
import { InputSource } from './input-source.ts';
import { readPointer } from './pointer.ts';
import { X11InputLease } from './x11-input-lease.ts';

/** Keyboard and pointer of an X display, through XTEST. */
export class X11Input implements InputPort {
  readonly #connections: InputConnections;
  readonly #clock: ServerClock;
  readonly #queue = new LeaseQueue<ActiveLease>((...lease) => this.#begin(...lease));

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
    const stop = await endIfLate(
      activity.watch(() => source.note()),
      (watching) => wire.within(watching, 'listening for keys and buttons', options),
      (late) => late(),
    );
    const forget = wire.onLoss(() => listener('lost'));
    return () => {
      forget();
      if (!wire.isLost) stop();
    };
  }

  async take(holder: string, call: CallOptions): Promise<InputLease> {
    const options = liveDeadline(call, performance);
    const connection = await this.#connections.get(options);
    await connection.wire.within(connection.devices(), 'preparing input', options);
    const lease = await this.#queue.take(holder, options);
    return new X11InputLease(lease.retain(), this.#clock);
  }

  heldBy(holder: string): readonly string[] {
    return this.#queue.heldBy(holder);
  }

  release(holder?: string): Promise<readonly string[]> {
    return this.#queue.release(holder);
  }

  stop(state: StopState): Promise<void> {
    return this.#queue.stop(state);
  }

  resume(): void {
    this.#queue.resume();
  }

  async #begin(
    holder: string,
    options: CallOptions,
    onEnd: (lease: ActiveLease) => void,
  ): Promise<{ readonly lease: ActiveLease } | { readonly other: HolderName }> {
    const connection = await this.#connections.get(options);
    const { lock, wire } = connection;
    const taking = lock.tryTake(holder);
    try {
      const other = await wire.within(taking, 'taking keyboard and pointer', options);
      if (other) return { other };
      const lease = ActiveLease.begin(connection, holder, onEnd);
      return { lease: await wire.within(lease, 'taking keyboard and pointer', options) };
    } catch (error) {
      // The lock may still become ours unnoticed.
      taking.then((other) => (other ? undefined : lock.release())).catch(() => undefined);
      throw error;
    }
  }
}
