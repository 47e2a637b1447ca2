import type { ClockPort } from '../../ports/clock.ts';
import type { DesktopEvent } from '../../ports/desktop/events.ts';
import type { SettleLimits } from '../requests/acting.ts';

const DEFAULT_SETTLE_LIMITS: SettleLimits = { quietMs: 80, limitMs: 1000 };
const STEP_MS = 10;
/** Between events of one change. */
const TOLD_QUIET_MS = 20;
const MOST_CALM_SHARE = 2;

/** Events of one application, from before an act until it has settled. */
export class EventLog {
  readonly events: DesktopEvent[] = [];
  private readonly clock: ClockPort;
  private readonly limits: SettleLimits;
  private lastAt = 0;

  constructor(clock: ClockPort, limits: SettleLimits = DEFAULT_SETTLE_LIMITS) {
    this.clock = clock;
    this.limits = limits;
  }

  /** The longest time an act may take to settle. */
  get limitMs(): number {
    return this.limits.limitMs;
  }

  add(event: DesktopEvent): void {
    this.events.push(event);
    this.lastAt = this.clock.now();
  }

  /** Discards the events so far, which have nothing to do with the act. */
  forget(): void {
    this.events.length = 0;
  }

  /**
   * Waits until the toolkit's own delay is over, then for quiet; never longer than the limit. An early event does not shorten the delay: Qt shows
   * a button pressed long before it runs the handler.
   */
  async settle(activationDelayMs: number, signal: AbortSignal | undefined): Promise<void> {
    const started = this.clock.now();
    const activated = started + activationDelayMs;
    while (this.clock.now() - started < this.limits.limitMs) {
      if (this.clock.now() - Math.max(this.lastAt, activated) >= this.limits.quietMs) return;
      await this.clock.sleep(STEP_MS, signal);
    }
  }

  /** Waits for quiet, but not for an application that is never quiet. */
  async calmDown(): Promise<void> {
    const end = this.clock.now() + MOST_CALM_SHARE * this.limits.quietMs;
    while (this.clock.now() < end && this.clock.now() - this.lastAt < this.limits.quietMs)
      await this.clock.sleep(STEP_MS);
  }

  /**
   * Like {@link settle}, but ends as soon as something that may be conclusive was followed by a short quiet. Returns whether that was so: then more
   * may come.
   */
  async settleOrTold(
    activationDelayMs: number,
    isTelling: (event: DesktopEvent) => boolean,
    signal: AbortSignal | undefined,
  ): Promise<boolean> {
    const started = this.clock.now();
    const activated = started + activationDelayMs;
    while (this.clock.now() - started < this.limits.limitMs) {
      const quietMs = this.clock.now() - Math.max(this.lastAt, activated);
      if (quietMs >= this.limits.quietMs) return false;
      if (quietMs >= TOLD_QUIET_MS && this.events.some(isTelling)) return true;
      await this.clock.sleep(STEP_MS, signal);
    }
    return false;
  }

  /** Waits at most `ms` for another event that matches; resolves with whether one arrived. */
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
