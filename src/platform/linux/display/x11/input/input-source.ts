import type { LeaseLock } from './lease-lock.ts';

/** How long what was found out about a press holds for those that follow it. */
const STRETCH_MS = 1000;

/** Tells whether keys and buttons that this process did not send are the user's: another process of ours may be acting. */
export class InputSource {
  readonly #lock: Pick<LeaseLock, 'isHeldElsewhere'>;
  readonly #listener: (who: 'user' | 'unknown') => void;
  #who: 'user' | 'unknown' = 'unknown';
  #askedAt = Number.NEGATIVE_INFINITY;

  constructor(lock: Pick<LeaseLock, 'isHeldElsewhere'>, listener: (who: 'user' | 'unknown') => void) {
    this.#lock = lock;
    this.#listener = listener;
  }

  /** Something was pressed or released. */
  note(): void {
    const now = performance.now();
    if (now - this.#askedAt <= STRETCH_MS) {
      this.#listener(this.#who);
      return;
    }
    this.#askedAt = now;
    void this.#ask();
  }

  async #ask(): Promise<void> {
    const isElsewhere = await this.#lock.isHeldElsewhere().catch(() => true);
    this.#who = isElsewhere ? 'unknown' : 'user';
    this.#listener(this.#who);
  }
}
