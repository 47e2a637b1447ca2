import { mentionCommand } from '../../../../../model/text/mention.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { DeskterityError } from '../../../../../model/effects/errors.ts';
import { liveDeadline } from '../../../../../model/live-deadline.ts';
import type { CallOptions } from '../../../../../ports/desktop.ts';
import type { InputLease, InputPort, Point, StopState } from '../../../../../ports/input.ts';
import type { ServerClock } from '../server-clock.ts';
import { withDeadline } from '../x11-errors.ts';
import { Grip } from './grip.ts';
import type { HolderName } from './lease-lock.ts';
import type { InputConnections } from './input-connection.ts';
import { readPointer } from './pointer.ts';
import { X11InputLease } from './x11-input-lease.ts';

const TRY_AGAIN_MS = 20;

interface Ticket {
  readonly holder: string;
}

/** Keyboard and pointer of an X display, by XTEST. */
export class X11Input implements InputPort {
  readonly #connections: InputConnections;
  readonly #clock: ServerClock;
  /** Who waits, first come first. */
  readonly #waiting: Ticket[] = [];
  #grip: Grip | undefined;
  #stopped: StopState | undefined;

  constructor(connections: InputConnections, clock: ServerClock) {
    this.#connections = connections;
    this.#clock = clock;
  }

  async pointer(call: CallOptions): Promise<Point> {
    const options = liveDeadline(call, () => performance.now());
    const { wire } = await this.#connections.get(options);
    return withDeadline(readPointer(wire), wire.display, 'reading where the pointer is', options);
  }

  async seesUser(call: CallOptions): Promise<boolean> {
    const options = liveDeadline(call, () => performance.now());
    const { activity, wire } = await this.#connections.get(options);
    return withDeadline(activity.isSeen(), wire.display, 'asking for the X Input Extension', options);
  }

  async take(holder: string, call: CallOptions): Promise<InputLease> {
    const end = performance.now() + call.deadlineMs;
    const options = liveDeadline(call, () => performance.now());
    const connection = await this.#connections.get(options);
    await withDeadline(connection.instruments(), connection.wire.display, 'preparing input', options);
    const ticket: Ticket = { holder };
    this.#waiting.push(ticket);
    let last: HolderName | undefined;
    try {
      for (;;) {
        const outcome = await this.#tryTake(ticket, options).catch((error: unknown) => {
          // The last of many tries may have had no time for an answer.
          throw last && isTimeout(error) ? taken(last) : error;
        });
        if (outcome instanceof Grip) return new X11InputLease(outcome.lend(), this.#clock);
        if (performance.now() + TRY_AGAIN_MS > end) throw taken(outcome);
        last = outcome;
        await sleep(TRY_AGAIN_MS, undefined, { signal: options.signal }).catch((error: unknown) => {
          throw cancelled(error);
        });
      }
    } finally {
      this.#waiting.splice(this.#waiting.indexOf(ticket), 1);
    }
  }

  async release(holder?: string): Promise<readonly string[]> {
    const grip = this.#grip;
    if (grip === undefined || (holder !== undefined && holder !== grip.holder)) return [];
    return grip.end(takenAway());
  }

  /** Ends what is being done here, at once, and lets nobody take keyboard and pointer until {@link resume}. */
  async stop(state: StopState): Promise<void> {
    this.#stopped = state;
    await this.#grip?.end(stopped(state));
  }

  resume(): void {
    this.#stopped = undefined;
  }

  async #tryTake(ticket: Ticket, options: CallOptions): Promise<Grip | HolderName> {
    if (this.#stopped) throw stopped(this.#stopped);
    const current = this.#grip;
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
      const other = await withDeadline(taking, wire.display, 'taking keyboard and pointer', options);
      if (other) return other;
      const grip = Grip.begin(connection, ticket.holder, (ended) => {
        if (this.#grip === ended) this.#grip = undefined;
      });
      this.#grip = await withDeadline(grip, wire.display, 'taking keyboard and pointer', options);
      if (this.#stopped) await this.#grip.end(stopped(this.#stopped));
      return this.#grip;
    } catch (error) {
      // It may yet be ours, and nobody would know.
      taking.then((other) => (other ? undefined : lock.release())).catch(() => undefined);
      throw error;
    }
  }
}

function isTimeout(error: unknown): boolean {
  return error instanceof DeskterityError && error.code === 'TIMEOUT';
}

function taken({ holder, pid }: HolderName): DeskterityError {
  const process = pid === undefined ? '' : ` (process ${pid})`;
  // Engines add a number, which tells nobody anything, to the name of their session.
  const session = holder?.replace(/ \(\d+\)$/, '');
  const who = session === undefined ? 'another program' : `session "${session}"${process}`;
  return new DeskterityError('CONFLICT', `Keyboard and pointer are in use by ${who}.`, {
    suggestion:
      'Repeat the command when it has finished; what it holds down and does not use is let go after half a minute.',
    retryable: true,
    delivered: false,
  });
}

function takenAway(): DeskterityError {
  return new DeskterityError('CONFLICT', 'Keyboard and pointer were released by another call.', {
    suggestion: 'Repeat the command.',
    retryable: true,
  });
}

function stopped({ by }: StopState): DeskterityError {
  return new DeskterityError('CANCELLED', `Acting was stopped${by === undefined ? '' : ` by ${by}`}.`, {
    suggestion: `To allow it again, run ${mentionCommand('resume')}.`,
    delivered: false,
  });
}

function cancelled(cause: unknown): DeskterityError {
  return new DeskterityError('CANCELLED', 'Cancelled while waiting for keyboard and pointer.', {
    suggestion: 'Repeat the command if it is still wanted.',
    delivered: false,
    cause,
  });
}
