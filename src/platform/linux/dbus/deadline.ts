import { BusError, LOCAL_ERROR } from './bus-error.ts';

/** How long a caller waits, and how it stops waiting. */
export interface CallSettings {
  /** Milliseconds from now; the call then fails with `local.Timeout`. */
  readonly deadlineMs: number;
  /** Aborting fails the call with `local.Cancelled`. */
  readonly signal?: AbortSignal | undefined;
}

const LONGEST_TIMER = 2 ** 31 - 1;

function cancelled(signal: AbortSignal): BusError {
  return new BusError(LOCAL_ERROR.CANCELLED, 'cancelled by the caller', { cause: signal.reason });
}

/** One timer and one abort listener. Calls back at most once, never from the constructor. */
export class Deadline {
  readonly #settings: CallSettings;
  readonly #onExpire: (error: BusError) => void;
  readonly #timer: NodeJS.Timeout;
  readonly #onAbort = (): void => {
    const { signal } = this.#settings;
    if (signal !== undefined) this.#expire(cancelled(signal));
  };

  constructor(settings: CallSettings, onExpire: (error: BusError) => void) {
    this.#settings = settings;
    this.#onExpire = onExpire;
    const delay = Math.min(Math.max(settings.deadlineMs, 0), LONGEST_TIMER);
    this.#timer = setTimeout(() => this.#expire(timedOut(settings)), delay);
    settings.signal?.addEventListener('abort', this.#onAbort, { once: true });
  }

  /** What a call fails with whose settings are spent before it starts. */
  static spent(settings: CallSettings): BusError | undefined {
    if (settings.signal?.aborted === true) return cancelled(settings.signal);
    return settings.deadlineMs > 0 ? undefined : timedOut(settings);
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#settings.signal?.removeEventListener('abort', this.#onAbort);
  }

  #expire(error: BusError): void {
    this.clear();
    this.#onExpire(error);
  }
}

function timedOut(settings: CallSettings): BusError {
  return new BusError(LOCAL_ERROR.TIMEOUT, `no answer within ${settings.deadlineMs} ms`);
}

/** The rest of `settings` after some time has gone by. */
export function remaining(settings: CallSettings, startedAt: number): CallSettings {
  return { deadlineMs: settings.deadlineMs - (performance.now() - startedAt), signal: settings.signal };
}

/** Waits for a promise no longer than the settings allow. The work behind it goes on. */
export function within<T>(work: Promise<T>, settings: CallSettings): Promise<T> {
  return new Promise((resolve, reject) => {
    const deadline = new Deadline(settings, reject);
    work.finally(() => deadline.clear()).then(resolve, reject);
  });
}
