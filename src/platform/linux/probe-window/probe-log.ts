import type { CallOptions } from '../../../ports/desktop.ts';
import type { ProbeEvent } from '../../../ports/probe-window.ts';

/** Bounds the memory if a client floods the probe. */
const MAX_EVENTS = 10_000;

/** What reached the probe, in order. */
export class ProbeLog {
  readonly #events: ProbeEvent[] = [];
  readonly #waiting = new Set<() => void>();
  #isOver = false;

  get events(): readonly ProbeEvent[] {
    return this.#events;
  }

  add(event: ProbeEvent): void {
    if (this.#events.length < MAX_EVENTS) this.#events.push(event);
    this.#wake();
  }

  /** No further events will arrive. */
  end(): void {
    this.#isOver = true;
    this.#wake();
  }

  /** See `ProbeWindow.until`. */
  async until(
    isWanted: (record: readonly ProbeEvent[]) => boolean,
    { deadlineMs, signal }: CallOptions,
  ): Promise<boolean> {
    const end = performance.now() + deadlineMs;
    for (;;) {
      if (isWanted(this.#events)) return true;
      const leftMs = end - performance.now();
      if (this.#isOver || leftMs <= 0 || signal?.aborted === true) return false;
      await this.#next(leftMs, signal);
    }
  }

  #next(limitMs: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', wake);
        this.#waiting.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, limitMs);
      signal?.addEventListener('abort', wake, { once: true });
      this.#waiting.add(wake);
    });
  }

  #wake(): void {
    for (const wake of this.#waiting) wake();
  }
}
