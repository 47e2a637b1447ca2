/** How many calls are allowed; 0 is no limit. */
export interface RateSettings {
  readonly perSecond: number;
  readonly perMinute: number;
  readonly atOnce: number;
}

/** Which limit a call would pass, and when it would not. */
export interface RatePassed {
  readonly limit: keyof RateSettings;
  readonly most: number;
  readonly retryAfterMs: number;
}

const SECOND_MS = 1000;
const MINUTE_MS = 60_000;
/** For a limit that depends on when other calls end. */
const SOON_MS = 250;

interface Counted {
  readonly at: number;
  readonly cost: number;
}

/** Counts calls over the last second and minute, and those in progress. A call that is refused does not count. */
export class CallRate {
  private counted: Counted[] = [];
  private inMinute = 0;
  private first = 0;
  private active = 0;

  /** The limit that a call passes now. */
  passed(now: number, cost: number, settings: RateSettings, isStep: boolean): RatePassed | undefined {
    this.forget(now);
    const { perSecond, perMinute, atOnce } = settings;
    // A step runs within a call that is counted already.
    if (!isStep && atOnce > 0 && this.active >= atOnce)
      return { limit: 'atOnce', most: atOnce, retryAfterMs: SOON_MS };
    if (perMinute > 0 && this.inMinute + cost > perMinute)
      return {
        limit: 'perMinute',
        most: perMinute,
        retryAfterMs: this.waitFor(now, cost, perMinute, MINUTE_MS),
      };
    if (perSecond > 0 && this.within(now, SECOND_MS) + cost > perSecond)
      return {
        limit: 'perSecond',
        most: perSecond,
        retryAfterMs: this.waitFor(now, cost, perSecond, SECOND_MS),
      };
    return undefined;
  }

  /** Counts a call. @returns a function for its end; later calls of it do nothing */
  begin(now: number, cost: number, isStep: boolean): () => void {
    this.counted.push({ at: now, cost });
    this.inMinute += cost;
    if (isStep) return () => undefined;
    this.active += 1;
    let isActive = true;
    return () => {
      if (isActive) this.active -= 1;
      isActive = false;
    };
  }

  /** Nothing is remembered. */
  isIdle(now: number): boolean {
    this.forget(now);
    return this.active === 0 && this.first === this.counted.length;
  }

  private forget(now: number): void {
    for (let next = this.counted[this.first]; next !== undefined; next = this.counted[this.first]) {
      if (now - next.at < MINUTE_MS) break;
      this.inMinute -= next.cost;
      this.first += 1;
    }
    if (this.first < 1000 && this.first < this.counted.length) return;
    this.counted = this.counted.slice(this.first);
    this.first = 0;
  }

  private within(now: number, spanMs: number): number {
    let sum = 0;
    for (let at = this.counted.length - 1; at >= this.first; at -= 1) {
      const one = this.counted[at];
      if (one === undefined || now - one.at >= spanMs) break;
      sum += one.cost;
    }
    return sum;
  }

  /** Until enough calls are older than the span. */
  private waitFor(now: number, cost: number, most: number, spanMs: number): number {
    let sum = this.within(now, spanMs) + cost;
    for (const one of this.counted.slice(this.first)) {
      if (now - one.at >= spanMs) continue;
      sum -= one.cost;
      if (sum <= most) return Math.max(1, Math.ceil(one.at + spanMs - now));
    }
    return spanMs;
  }
}
