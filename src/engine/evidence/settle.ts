import type { ClockPort } from '../../ports/clock.ts';
import type { DesktopEvent } from '../../ports/desktop/events.ts';
import type { SettleLimits } from '../requests/acting.ts';

const DEFAULT_SETTLE_LIMITS: SettleLimits = { quietMs: 80, limitMs: 1000 };
/** Between looks at a clock that tests may stop. */
const STEP_MS = 10;
const MOST_CALM_SHARE = 2;

/** Events of one application, from before an act until it has settled. */
export class EventLog {
  readonly events: DesktopEvent[] = [];
  private readonly clock: ClockPort;
  private readonly limits: SettleLimits;
  private lastAt = 0;
  private wake: () => void = () => undefined;

  constructor(clock: ClockPort, limits: SettleLimits = DEFAULT_SETTLE_LIMITS) {
    this.clock = clock;
    this.limits = limits;
  }

  /** How long nothing happens when an act has settled. */
  get quietMs(): number {
    return this.limits.quietMs;
  }

  /** The longest time an act may take to settle. */
  get limitMs(): number {
    return this.limits.limitMs;
  }

  add(event: DesktopEvent): void {
    this.events.push(event);
    this.lastAt = this.clock.now();
    this.wake();
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
      const leftMs = this.limits.quietMs - this.quietSince(activated);
      if (leftMs <= 0) return;
      await this.rest(leftMs, signal);
    }
  }

  /** Waits for quiet, but not for an application that is never quiet. */
  async calmDown(): Promise<void> {
    const end = this.clock.now() + MOST_CALM_SHARE * this.limits.quietMs;
    while (this.clock.now() < end) {
      const leftMs = this.limits.quietMs - this.quietSince(0);
      if (leftMs <= 0) return;
      await this.rest(leftMs, undefined);
    }
  }

  /**
   * Like {@link settle}, but ends as soon as something that may be conclusive was followed by a short quiet. Returns whether that was so: then more
   * may come. With `isDelayMost`, that need not wait until the delay is over.
   */
  async settleOrTold(
    activationDelayMs: number,
    {
      isTelling,
      quietMs,
      isDelayMost = false,
    }: {
      readonly isTelling: (event: DesktopEvent) => boolean;
      readonly quietMs: number;
      readonly isDelayMost?: boolean;
    },
    signal: AbortSignal | undefined,
  ): Promise<boolean> {
    const started = this.clock.now();
    const activated = started + activationDelayMs;
    while (this.clock.now() - started < this.limits.limitMs) {
      const isTold = this.events.some(isTelling);
      const leftMs = isTold
        ? quietMs - this.quietSince(isDelayMost ? started : activated)
        : this.limits.quietMs - this.quietSince(activated);
      if (leftMs <= 0) return isTold;
      await this.rest(leftMs, signal);
    }
    return false;
  }

  /** Waits until it was quiet for so long. Returns whether it was so since there were that many events; ends at once if not. */
  async stayedQuiet(count: number, quietMs: number, signal: AbortSignal | undefined): Promise<boolean> {
    for (;;) {
      if (this.events.length !== count) return false;
      const leftMs = quietMs - this.quietSince(0);
      if (leftMs <= 0) return true;
      await this.rest(leftMs, signal);
    }
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
      await this.rest(end - this.clock.now(), signal);
      for (; seen < this.events.length; seen++) {
        const event = this.events[seen];
        if (event && isWanted(event)) return true;
      }
    }
    return false;
  }

  private quietSince(beganMs: number): number {
    return this.clock.now() - Math.max(this.lastAt, beganMs);
  }

  /** Waits for the next event, and at most that long. */
  private async rest(ms: number, signal: AbortSignal | undefined): Promise<void> {
    const waking = new AbortController();
    this.wake = () => waking.abort();
    const both = signal === undefined ? waking.signal : AbortSignal.any([signal, waking.signal]);
    try {
      await this.clock.sleep(Math.min(STEP_MS, ms), both);
    } catch (error) {
      if (!waking.signal.aborted || signal?.aborted === true) throw error;
    } finally {
      this.wake = () => undefined;
    }
  }
}
