/** What our own events hold down, in order of pressing, by its name in messages. */
export class HeldInput {
  readonly #held = new Map<string, () => void>();

  get names(): readonly string[] {
    return [...this.#held.keys()];
  }

  has(name: string): boolean {
    return this.#held.has(name);
  }

  /** @param release lets go of it */
  note(name: string, isDown: boolean, release: () => void): void {
    // Pressed again, it moves to the end.
    this.#held.delete(name);
    if (isDown) this.#held.set(name, release);
  }

  /** Releases what is not in `keep`, the latest first; of a lost connection nothing can be released. */
  releaseExcept(keep: readonly string[], isLost: boolean): void {
    for (const [name, release] of [...this.#held].toReversed()) {
      if (keep.includes(name)) continue;
      this.#held.delete(name);
      if (!isLost) release();
    }
  }
}
