/** Functions that want to hear of something. */
export class Handlers<T> {
  readonly #handlers = new Set<(value: T) => void>();

  /** Adds a handler; gives what removes it. */
  add(handler: (value: T) => void): () => void {
    this.#handlers.add(handler);
    return () => void this.#handlers.delete(handler);
  }

  /** Calls them all. What one throws is the program's own error: it surfaces, but not in the caller's loop. */
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
