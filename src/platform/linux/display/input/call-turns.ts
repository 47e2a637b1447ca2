/** Calls that run one after the other, in the order in which they came. */
export class CallTurns {
  #last: Promise<void> = Promise.resolve();

  /** Resolves when the calls that have come so far are over. Never rejects. */
  get idle(): Promise<void> {
    return this.#last;
  }

  /** @param wait waits for the calls before; if it gives up, the call does not run, and those after it still wait for the ones before */
  async run<T>(wait: (before: Promise<void>) => Promise<void>, call: () => Promise<T>): Promise<T> {
    const before = this.#last;
    let finish = (): void => undefined;
    this.#last = new Promise((resolve) => {
      finish = resolve;
    });
    try {
      await wait(before);
      return await call();
    } finally {
      void before.then(finish);
    }
  }
}
