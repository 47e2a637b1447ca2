import type { InputNote } from '../../model/journal/happening.ts';

/** What happens this long after a key or a button went down may be its consequence. */
const REACTION_MS = 1000;

/** When keys and buttons were pressed that no session sent. */
export class InputNotes {
  private latest: InputNote | undefined;

  /** The note that this belongs to. */
  add(who: InputNote['who'], atMs: number): InputNote {
    const { latest } = this;
    // One stretch of typing is one note, so that what it brings about is told as one.
    if (latest?.who === who && atMs - latest.lastMs <= REACTION_MS) {
      latest.lastMs = atMs;
      return latest;
    }
    this.latest = { who, lastMs: atMs };
    return this.latest;
  }

  /** The input that something at this moment may be a consequence of. */
  before(atMs: number): InputNote | undefined {
    const { latest } = this;
    return latest !== undefined && atMs - latest.lastMs <= REACTION_MS ? latest : undefined;
  }
}
