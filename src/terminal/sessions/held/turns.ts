/** Steps one after the other. */
export class Turns {
  private last: Promise<unknown> = Promise.resolve();

  /** Resolves with what the step gives, when those before it are over; or rejects as it does, and others go on. */
  take<T>(step: () => T | Promise<T>): Promise<T> {
    const done = this.last.then(step);
    this.last = done.catch(() => undefined);
    return done;
  }
}
