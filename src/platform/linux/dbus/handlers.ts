/** Registered callbacks. */
export class Handlers<T> {
  readonly #handlers = new Set<(value: T) => void>();

  /** Adds a handler; returns the function that removes it. */
  add(handler: (value: T) => void): () => void {
    this.#handlers.add(handler);
    return () => void this.#handlers.delete(handler);
  }

  /** Calls them all. What one throws is a bug of this program: it surfaces, but outside the caller's loop. */
  call(value: T): void {
    for (const handler of this.#handlers) {
      try {
        handler(value);
      } catch (error) {
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }
}
