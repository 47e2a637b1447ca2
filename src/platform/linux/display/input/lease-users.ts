/** Keys and buttons held without use are released after this time. */
const IDLE_MS = 30_000;

/** Counts the callers that share a lease, and ends it once nobody has used it for a while. */
export class LeaseUsers {
  readonly #end: () => Promise<unknown>;
  #count = 0;
  #timer: NodeJS.Timeout | undefined;

  /** @param end ends the lease; never rejects */
  constructor(end: () => Promise<unknown>) {
    this.#end = end;
  }

  get isEmpty(): boolean {
    return this.#count === 0;
  }

  add(): void {
    this.#count++;
    this.begin();
  }

  /** The last one to leave ends the lease, or leaves it to the timer if something must stay held. */
  async remove({ mustKeep }: { readonly mustKeep: () => boolean }): Promise<void> {
    this.#count--;
    if (this.#count > 0) return;
    if (mustKeep()) this.#startTimer();
    else await this.#end();
  }

  /** The lease is used, or over: no time counts. */
  begin(): void {
    clearTimeout(this.#timer);
  }

  /** A call has ended. */
  rest(): void {
    if (this.isEmpty) this.#startTimer();
  }

  #startTimer(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#end(), IDLE_MS).unref();
  }
}
