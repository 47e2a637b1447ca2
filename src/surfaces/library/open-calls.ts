/** The running calls, so that all can be cancelled at once. */
export class OpenCalls {
  readonly #controllers = new Set<AbortController>();

  /** Runs `body` with a signal that the caller's signal and {@link cancelAll} abort. */
  async run<T>(caller: AbortSignal | undefined, body: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const controller = new AbortController();
    const abort = () => controller.abort(caller?.reason);
    if (caller?.aborted === true) abort();
    // One signal may serve many calls, so the listener is removed after each.
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
