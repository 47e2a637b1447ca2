import type { Unwatch } from '../connections/connection.ts';

/**
 * When a subscription looks. Events of the desktop come first: each one leads to a reading after {@link Pace.debounceMs}, and what comes
 * meanwhile is part of it. An application that sends none for a while may not send any, so it is looked at as well: after a second, then
 * after twice as long each time, for as long as that shows nothing.
 */
export interface Pace {
  /** From an event to the reading that it leads to, milliseconds. */
  readonly debounceMs: number;
  /** Time without events after which is polled; 0 where no event tells of changes. */
  readonly silenceMs: number;
  /** Longest pause between two polls. */
  readonly longestPauseMs: number;
}

export interface SubscriptionParts {
  readonly pace: Pace;
  /** Calls `onEvent` when something may have changed. Rejects when that cannot be known; it is tried again with each poll. */
  readonly listen: (onEvent: () => void, signal: AbortSignal) => Promise<Unwatch>;
  /** What is there now, as a text to compare; `undefined` where that cannot be said at the moment. */
  readonly look: (signal: AbortSignal) => Promise<string | undefined>;
  readonly onChange: () => void;
  /** Called once, when a poll found a change that no event had told of. */
  readonly onUnannounced: () => void;
}

const FIRST_PAUSE_MS = 1000;
/** Of the time, readings take one part in so many at most, however much changes. */
const REST_FACTOR = 4;

/** Tells of each change of one resource once. A reading never overlaps the one before. */
export class Subscription {
  private readonly parts: SubscriptionParts;
  private readonly ending = new AbortController();
  private stopListening: Unwatch | undefined;
  private isListening = false;
  private known: string | undefined;
  private isReading = false;
  /** Something happened that no reading has seen yet. */
  private isDirty = false;
  private timer: NodeJS.Timeout | undefined;
  private isEventTimer = false;
  private pauseMs: number;
  private restUntil = 0;
  private hasTold = false;

  constructor(parts: SubscriptionParts) {
    this.parts = parts;
    this.pauseMs = firstPause(parts.pace);
  }

  /** Resolves when every later change will be told. */
  async begin(): Promise<void> {
    // Before the first reading, or a change between the two would be missed.
    await this.listen();
    const { signal } = this.ending;
    if (signal.aborted) return;
    this.isReading = true;
    this.known = await this.timed(() => this.parts.look(signal));
    this.isReading = false;
    this.plan();
  }

  end(): void {
    this.ending.abort();
    clearTimeout(this.timer);
    this.stopListening?.();
    this.stopListening = undefined;
  }

  private async listen(): Promise<void> {
    if (this.stopListening !== undefined || this.isListening) return;
    const { signal } = this.ending;
    this.isListening = true;
    try {
      const stop = await this.parts.listen(() => this.onEvent(), signal);
      if (signal.aborted) stop();
      else this.stopListening = stop;
    } catch {
      // Polls find what events do not tell.
    } finally {
      this.isListening = false;
    }
  }

  private onEvent(): void {
    if (this.ending.signal.aborted) return;
    this.pauseMs = firstPause(this.parts.pace);
    if (this.isDirty) return;
    this.isDirty = true;
    this.plan();
  }

  /** Sets the timer for the next reading. */
  private plan(): void {
    if (this.isReading || this.ending.signal.aborted) return;
    const { debounceMs } = this.parts.pace;
    const pause = this.isDirty ? debounceMs : this.pauseMs;
    const rest = this.restUntil - performance.now();
    clearTimeout(this.timer);
    this.isEventTimer = this.isDirty;
    this.timer = setTimeout(() => void this.read(), Math.max(pause, rest, 0));
    this.timer.unref();
  }

  private async read(): Promise<void> {
    const { signal } = this.ending;
    const isPoll = !this.isEventTimer;
    this.isReading = true;
    this.isDirty = false;
    if (isPoll) await this.listen();
    const seen = await this.timed(() => this.parts.look(signal));
    this.isReading = false;
    if (signal.aborted) return;
    // Where the first reading failed, the first one that does not is news.
    const hasChanged = seen !== undefined && seen !== this.known;
    this.known = seen ?? this.known;
    if (isPoll) this.pauseMs = this.nextPause(hasChanged);
    if (hasChanged) {
      // One that is told of while it is being polled for was announced all the same.
      if (isPoll && !this.isDirty) this.tellUnannounced();
      this.parts.onChange();
    }
    this.plan();
  }

  private nextPause(hasChanged: boolean): number {
    const { silenceMs, longestPauseMs } = this.parts.pace;
    if (hasChanged || this.pauseMs === silenceMs) return FIRST_PAUSE_MS;
    return Math.min(this.pauseMs * 2, longestPauseMs);
  }

  private tellUnannounced(): void {
    if (this.hasTold) return;
    this.hasTold = true;
    this.parts.onUnannounced();
  }

  private async timed(look: () => Promise<string | undefined>): Promise<string | undefined> {
    const started = performance.now();
    try {
      return await look();
    } catch {
      return undefined;
    } finally {
      const ended = performance.now();
      this.restUntil = ended + (ended - started) * (REST_FACTOR - 1);
    }
  }
}

function firstPause({ silenceMs }: Pace): number {
  return silenceMs === 0 ? FIRST_PAUSE_MS : silenceMs;
}
