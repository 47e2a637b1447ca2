/**
 * The clock of an X server in milliseconds that never wrap; in the X11 protocol they have 32 bits and wrap after 49 days.
 * All connections to a display share one clock, so that their times can be compared; times less than half a wrap apart
 * keep their order.
 */
export class ServerClock {
  #last = 0;

  /** @param time server time from the protocol */
  milliseconds(time: number): number {
    this.#last += (time - this.#last) | 0;
    return this.#last;
  }
}
