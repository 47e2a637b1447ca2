/**
 * The clock of an X server as milliseconds that never start again: on the wire they are 32 bits wide, which is 49 days. One is shared by all
 * connections to a display, so that their times can be compared; times less than half of that apart come out in their order.
 */
export class ServerClock {
  #last = 0;

  /** @param time as the server says it */
  milliseconds(time: number): number {
    this.#last += (time - this.#last) | 0;
    return this.#last;
  }
}
