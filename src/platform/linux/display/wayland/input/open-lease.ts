import { setTimeout as sleep } from 'node:timers/promises';
import { DeskterityError } from '../../../../../model/effects/errors.ts';
import { liveDeadline } from '../../../../../model/live-deadline.ts';
import { mentionParameter } from '../../../../../model/text/mention.ts';
import type { CallOptions } from '../../../../../ports/call-options.ts';
import { cancelled } from '../../../failures.ts';
import { CallTurns } from '../../input/call-turns.ts';
import { LeaseUsers } from '../../input/lease-users.ts';
import { leaseEnded } from '../../lease-errors.ts';
import { waitAtMost } from '../../waiting.ts';
import type { InputDevices } from './devices.ts';

/** For the current call to end. */
const END_MS = 2000;
/** Added to the deadline so that inner deadlines, whose errors are more specific, pass first. */
const EXPLAIN_MS = 250;

/** What one call uses to send input. */
export interface LeaseTools {
  /** Throws once nothing more may be sent; call it before each event that presses or moves. */
  readonly devices: () => InputDevices;
  /** Aborted when nothing more may be sent: by the caller, the deadline or the end of the lease. */
  readonly signal: AbortSignal;
}

/** One holder's exclusive use of keyboard and pointer, shared by its callers. Their calls run one after the other. */
export class OpenLease {
  readonly holder: string;
  readonly devices: InputDevices;
  readonly #onEnd: (lease: OpenLease) => void;
  readonly #ended = new AbortController();
  #reason: DeskterityError | undefined;
  #ending: Promise<readonly string[]> | undefined;
  readonly #turns = new CallTurns();
  readonly #users = new LeaseUsers(() => this.end(leaseEnded()));
  #sent = 0;

  constructor(devices: InputDevices, holder: string, onEnd: (lease: OpenLease) => void) {
    this.holder = holder;
    this.devices = devices;
    this.#onEnd = onEnd;
    const forget = devices.onLoss((reason) => void this.end(reason));
    this.#ended.signal.addEventListener('abort', forget);
  }

  get isOver(): boolean {
    return this.#reason !== undefined;
  }

  get held(): readonly string[] {
    return this.#reason ? [] : this.devices.held;
  }

  /** Adds a user; the last one to {@link release} it ends the lease. */
  retain(): this {
    this.#users.add();
    return this;
  }

  release(keep: boolean): Promise<void> {
    return this.#users.remove({ mustKeep: () => keep && this.held.length > 0 });
  }

  /**
   * Runs one call in its turn. If it fails, whatever it pressed is released.
   * @throws DeskterityError as `InputLease` describes
   */
  async run<T>(doing: string, call: CallOptions, work: (tools: LeaseTools) => Promise<T>): Promise<T> {
    const options = liveDeadline(call, performance);
    const waiting = `waiting before ${doing}`;
    const late = (): DeskterityError => timedOut(waiting, false);
    return this.#turns.run(
      (before) => waitAtMost(before, options, { doing: waiting, late }),
      () => this.#perform(doing, options, work),
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
  ): Promise<T> {
    if (this.#reason) throw this.#reason;
    const before = this.devices.held;
    const timer = new AbortController();
    const timeout = setTimeout(() => timer.abort(), options.deadlineMs);
    const signals = [timer.signal, this.#ended.signal, ...(options.signal ? [options.signal] : [])];
    const signal = AbortSignal.any(signals);
    const devices = (): InputDevices => {
      if (this.#reason) throw this.#reason;
      signal.throwIfAborted();
      this.#sent++;
      return this.devices;
    };
    const finish = async (): Promise<T> => {
      await this.devices.ready;
      const result = await work({ devices, signal });
      await this.devices.synced();
      return result;
    };
    this.#sent = 0;
    this.#users.begin();
    try {
      const limits = { deadlineMs: options.deadlineMs + EXPLAIN_MS };
      return await waitAtMost(finish(), limits, { doing, late: () => timedOut(doing, this.#sent > 0) });
    } catch (error) {
      timer.abort();
      this.devices.releaseExcept(before);
      throw this.#explain(error, doing, options, signal.aborted);
    } finally {
      clearTimeout(timeout);
      this.#users.rest();
    }
  }

  #explain(error: unknown, doing: string, { signal }: CallOptions, isOver: boolean): unknown {
    const delivered = this.#sent > 0;
    if (this.#reason) return this.#reason.with({ delivered, cause: error });
    if (signal?.aborted) return cancelled(`Cancelled while ${doing}.`, { delivered, cause: error });
    if (error instanceof DeskterityError)
      return error.delivered === undefined ? error.with({ delivered }) : error;
    const isAbort = error instanceof Error && error.name === 'AbortError';
    // An error from the caller's own check is passed on unchanged.
    return isOver && isAbort ? timedOut(doing, delivered) : error;
  }

  async #end(reason: DeskterityError): Promise<readonly string[]> {
    const names = this.held;
    this.#reason = reason;
    this.#users.begin();
    // First and immediately, so that nothing stays down during the waits below.
    this.devices.releaseExcept([]);
    this.#ended.abort();
    await Promise.race([this.#turns.idle, sleep(END_MS, undefined, { ref: false })]);
    this.devices.releaseExcept([]);
    await Promise.race([this.devices.synced(), sleep(END_MS, undefined, { ref: false })]).catch(
      () => undefined,
    );
    this.#onEnd(this);
    return names;
  }
}

function timedOut(doing: string, delivered: boolean): DeskterityError {
  return new DeskterityError('TIMEOUT', `Time ran out while ${doing}.`, {
    suggestion: `Raise ${mentionParameter('timeout_ms')}.`,
    retryable: !delivered,
    delivered,
  });
}
