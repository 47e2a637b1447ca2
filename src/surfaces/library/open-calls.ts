/** The calls that are under way, so that all of them can be ended at once. */
export class OpenCalls {
  readonly #controllers = new Set<AbortController>();

  /** Runs `body` with a signal that the caller's own signal aborts, and {@link cancelAll} too. */
  async run<T>(caller: AbortSignal | undefined, body: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const controller = new AbortController();
    const abort = () => controller.abort(caller?.reason);
    if (caller?.aborted === true) abort();
    // One signal may serve many calls: what is added to it goes when the call has ended.
    caller?.addEventListener('abort', abort, { once: true });
    this.#controllers.add(controller);
    try {
      return await body(controller.signal);
    } finally {
      caller?.removeEventListener('abort', abort);
      this.#controllers.delete(controller);
    }
  }

  cancelAll(): void {
    for (const controller of this.#controllers) controller.abort();
  }
}
