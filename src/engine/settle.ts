import type { ClockPort } from '../ports/clock.ts';
import type { DesktopEvent } from '../ports/desktop.ts';

/** An act has come to rest when its application has been silent this long. */
const QUIET_MS = 80;
/** A clock that ticks for ever must not keep anybody waiting. */
const CAP_MS = 1000;
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

  /** Waits for the toolkit's own delay or the first event, then for quiet; at most a second in all. */
  async settle(activationDelayMs: number, signal: AbortSignal | undefined): Promise<void> {
    const started = this.clock.now();
    const before = this.events.length;
    while (this.clock.now() - started < CAP_MS) {
      const now = this.clock.now();
      const activated = this.events.length > before || now - started >= activationDelayMs;
      if (activated && now - started >= activationDelayMs && now - Math.max(this.lastAt, started) >= QUIET_MS)
        return;
      await this.clock.sleep(STEP_MS, signal);
    }
  }
}
