import { setTimeout as sleep } from 'node:timers/promises';
import { DeskterityError } from '../../../../model/effects/errors.ts';
import type { CallOptions } from '../../../../ports/call-options.ts';
import type { StopState } from '../../../../ports/input.ts';
import { cancelled } from '../../failures.ts';
import { isRefused, releasedElsewhere, stopped, taken, type HolderName } from '../lease-errors.ts';

/** Another process may hold keyboard and pointer, and does not tell when it is done. */
const RETRY_MS = 20;

/** One holder's exclusive use of keyboard and pointer. */
interface Lease {
  readonly holder: string;
  readonly isOver: boolean;
  readonly held: readonly string[];
  end(reason: DeskterityError): Promise<readonly string[]>;
}

/** A lease, or who has keyboard and pointer instead. */
type Outcome<L> = { readonly lease: L } | { readonly other: HolderName };

/** Takes the lock of the display and starts a lease, which calls `onEnd` when it ends; or tells who has the lock. */
type BeginLease<L extends Lease> = (
  holder: string,
  options: CallOptions,
  onEnd: (lease: L) => void,
) => Promise<Outcome<L>>;

/** The lease of keyboard and pointer in this process, and the callers that wait for it, served in order. */
export class LeaseQueue<L extends Lease> {
  readonly #begin: BeginLease<L>;
  readonly #waiting: HolderName[] = [];
  #lease: L | undefined;
  #stopped: StopState | undefined;

  constructor(begin: BeginLease<L>) {
    this.#begin = begin;
  }

  /**
   * The holder's own lease, or a new one once nobody else has it.
   * @throws DeskterityError CONFLICT if somebody else still has it at the deadline, CANCELLED also if acting was stopped
   */
  async take(holder: string, options: CallOptions): Promise<L> {
    const end = performance.now() + options.deadlineMs;
    const caller = { holder };
    this.#waiting.push(caller);
    let other: HolderName | undefined;
    try {
      for (;;) {
        const outcome = await this.#try(caller, options).catch((error: unknown) => {
          // The last of many attempts may have had no time left for a reply.
          throw other && isTimeout(error) ? taken(other) : error;
        });
        if ('lease' in outcome) return outcome.lease;
        ({ other } = outcome);
        if (performance.now() + RETRY_MS > end) throw taken(other);
        await sleep(RETRY_MS, undefined, { signal: options.signal }).catch((error: unknown) => {
          const facts = { delivered: false, cause: error };
          throw cancelled('Cancelled while waiting for keyboard and pointer.', facts);
        });
      }
    } finally {
      this.#waiting.splice(this.#waiting.indexOf(caller), 1);
    }
  }

  /** What a holder holds down. */
  heldBy(holder: string): readonly string[] {
    return this.#lease?.holder === holder ? this.#lease.held : [];
  }

  /** Ends the lease, or only if it is this holder's. Returns the names of what was held. */
  async release(holder?: string): Promise<readonly string[]> {
    const lease = this.#lease;
    if (lease === undefined || (holder !== undefined && holder !== lease.holder)) return [];
    return lease.end(releasedElsewhere());
  }

  /** Ends the lease immediately and refuses new ones until {@link resume}, except that of a person who has taken over. */
  async stop(state: StopState): Promise<void> {
    this.#stopped = state;
    if (this.#lease !== undefined && isRefused(this.#lease.holder, state))
      await this.#lease.end(stopped(state));
  }

  resume(): void {
    this.#stopped = undefined;
  }

  async #try(caller: { readonly holder: string }, options: CallOptions): Promise<Outcome<L>> {
    const { holder } = caller;
    if (this.#stopped && isRefused(holder, this.#stopped)) throw stopped(this.#stopped);
    const current = this.#lease;
    if (current?.holder === holder && !current.isOver) return { lease: current };
    if (current) return { other: { holder: current.holder } };
    const [first = caller] = this.#waiting;
    if (first !== caller) return { other: first };
    const begun = await this.#begin(holder, options, (ended) => {
      if (this.#lease === ended) this.#lease = undefined;
    });
    if ('other' in begun) return begun;
    const { lease } = begun;
    if (!lease.isOver) this.#lease = lease;
    // Somebody may have stopped acting meanwhile.
    if (this.#stopped && isRefused(holder, this.#stopped)) await lease.end(stopped(this.#stopped));
    return begun;
  }
}

function isTimeout(error: unknown): boolean {
  return error instanceof DeskterityError && error.code === 'TIMEOUT';
}
