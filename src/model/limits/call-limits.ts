import { CallRate, type RatePassed, type RateSettings } from './call-rate.ts';
import { FailingCalls } from './failing-calls.ts';

/** Sessions that are remembered; the oldest idle ones are forgotten. */
const MOST_SESSIONS = 1000;
/** A refusal is told to those who watch at most this often for each session. */
const TOLD_EVERY_MS = 1000;

interface KnownSession {
  readonly rate: CallRate;
  readonly failing: FailingCalls;
  toldAt: number;
}

export interface LimitedCall {
  readonly now: number;
  /** What it counts. */
  readonly cost: number;
  /** It is part of a call that is counted. */
  readonly isStep: boolean;
}

/** A limit that is passed, of one session or of all. */
export interface LimitPassed extends RatePassed {
  readonly of: 'session' | 'all';
  /** It should be recorded: it was not within the last second. */
  readonly isNews: boolean;
}

/** What calls of all sessions of a process count. Another session is no way around the limit of all. */
export class CallLimits {
  private readonly all = new CallRate();
  private readonly sessions = new Map<string, KnownSession>();

  /** Counts a call, if no limit is passed. @returns a function for its end, or the limit */
  begin(
    session: string,
    { now, cost, isStep }: LimitedCall,
    limits: { readonly session: RateSettings; readonly all: RateSettings },
  ): (() => void) | LimitPassed {
    const known = this.session(session, now);
    const own = known.rate.passed(now, cost, limits.session, isStep);
    const passed = own ?? this.all.passed(now, cost, limits.all, isStep);
    if (passed !== undefined) {
      const isNews = now - known.toldAt >= TOLD_EVERY_MS;
      if (isNews) known.toldAt = now;
      return { ...passed, of: own === undefined ? 'all' : 'session', isNews };
    }
    const ends = [known.rate, this.all].map((rate) => rate.begin(now, cost, isStep));
    return () => {
      for (const end of ends) end();
    };
  }

  /** Counts more for a call that has begun. */
  add(session: string, now: number, cost: number): void {
    for (const rate of [this.session(session, now).rate, this.all]) rate.begin(now, cost, true);
  }

  failing(session: string, now: number): FailingCalls {
    return this.session(session, now).failing;
  }

  private session(name: string, now: number): KnownSession {
    const known = this.sessions.get(name);
    if (known !== undefined) return known;
    if (this.sessions.size >= MOST_SESSIONS) this.forgetIdle(now);
    const made = { rate: new CallRate(), failing: new FailingCalls(), toldAt: Number.NEGATIVE_INFINITY };
    this.sessions.set(name, made);
    return made;
  }

  private forgetIdle(now: number): void {
    for (const [name, { rate }] of this.sessions) if (rate.isIdle(now)) this.sessions.delete(name);
  }
}

/** What the calls of one session may do, and what they count with. */
export interface SessionLimits {
  readonly counts: CallLimits;
  readonly session: RateSettings;
  readonly all: RateSettings;
}
