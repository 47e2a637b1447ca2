import type { ClockPort } from '../ports/clock.ts';
import type { DesktopEvent } from '../ports/desktop.ts';

/** An act has come to rest when its application has been silent this long. */
const QUIET_MS = 80;
/** A clock that ticks for ever must not keep anybody waiting. */
export const CAP_MS = 1000;
const STEP_MS = 10;

/** Events of one application, gathered from before an act until it has settled. */
export class EventLog {
  readonly events: DesktopEvent[] = [];
  private readonly clock: ClockPort;
  private lastAt = 0;

  constructor(clock: ClockPort) {
    this.clock = clock;
  }

  add(event: DesktopEvent): void {
    this.events.push(event);
    this.lastAt = this.clock.now();
  }

  /**
   * Waits until the toolkit's own delay is over, then for quiet; at most a second in all. An early event does not shorten the delay: Qt shows
   * a button pressed long before it runs the handler.
   */
  async settle(activationDelayMs: number, signal: AbortSignal | undefined): Promise<void> {
    const started = this.clock.now();
    const activated = started + activationDelayMs;
    while (this.clock.now() - started < CAP_MS) {
      if (this.clock.now() - Math.max(this.lastAt, activated) >= QUIET_MS) return;
      await this.clock.sleep(STEP_MS, signal);
    }
  }

  /** Waits for a further event of one kind of interest, at most `ms`. Answers whether it came. */
  async next(
    isWanted: (event: DesktopEvent) => boolean,
    ms: number,
    signal: AbortSignal | undefined,
  ): Promise<boolean> {
    const end = this.clock.now() + ms;
    let seen = this.events.length;
    while (this.clock.now() < end) {
      await this.clock.sleep(STEP_MS, signal);
      for (; seen < this.events.length; seen++) {
        const event = this.events[seen];
        if (event && isWanted(event)) return true;
      }
    }
    return false;
  }
}
