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

interface Watched {
  readonly runs: Set<() => void>;
  readonly listener: () => void;
}

// One listener per signal, however many calls share it: Node warns of more than ten.
const watched = new WeakMap<AbortSignal, Watched>();

function watch(signal: AbortSignal): Watched {
  const runs = new Set<() => void>();
  const listener = (): void => runs.forEach((run) => run());
  signal.addEventListener('abort', listener, { once: true });
  const made = { runs, listener };
  watched.set(signal, made);
  return made;
}

function onAbort(signal: AbortSignal, run: () => void): () => void {
  const { runs, listener } = watched.get(signal) ?? watch(signal);
  runs.add(run);
  return () => {
    if (!runs.delete(run) || runs.size > 0) return;
    // Node keeps a signal made of others as long as somebody listens to it, even when nobody else knows it any more.
    signal.removeEventListener('abort', listener);
    watched.delete(signal);
  };
}

/** A timer and an abort listener. Calls back at most once, never from the constructor. */
export class Deadline {
  readonly #onExpire: (error: BusError) => void;
  readonly #timer: NodeJS.Timeout;
  readonly #forget: (() => void) | undefined;

  constructor(settings: CallSettings, onExpire: (error: BusError) => void) {
    this.#onExpire = onExpire;
    const { signal } = settings;
    const delay = Math.min(Math.max(settings.deadlineMs, 0), LONGEST_TIMER);
    this.#timer = setTimeout(() => this.#expire(timedOut(settings)), delay);
    this.#forget = signal && onAbort(signal, () => this.#expire(cancelled(signal)));
  }

  /** The error of a call whose deadline has passed, or which was aborted, before it starts. */
  static spent(settings: CallSettings): BusError | undefined {
    if (settings.signal?.aborted === true) return cancelled(settings.signal);
    return settings.deadlineMs > 0 ? undefined : timedOut(settings);
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#forget?.();
  }

  #expire(error: BusError): void {
    this.clear();
    this.#onExpire(error);
  }
}

function timedOut(settings: CallSettings): BusError {
  return new BusError(LOCAL_ERROR.TIMEOUT, `no reply within ${Math.round(settings.deadlineMs)} ms`);
}

/** `settings` with the time already elapsed taken off the deadline. */
export function remaining(settings: CallSettings, startedAt: number): CallSettings {
  return { deadlineMs: settings.deadlineMs - (performance.now() - startedAt), signal: settings.signal };
}

/** Waits for a promise no longer than the settings allow. The work itself continues. */
export function within<T>(work: Promise<T>, settings: CallSettings): Promise<T> {
  return new Promise((resolve, reject) => {
    const deadline = new Deadline(settings, reject);
    work.finally(() => deadline.clear()).then(resolve, reject);
  });
}
