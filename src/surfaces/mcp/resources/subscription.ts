import type { Unwatch } from '../connections/connection.ts';

/**
 * When a subscription reads its resource: a moment after a desktop event, together with all events until then, but not more often than every
 * {@link Pace.debounceMs}. Because some applications send no events, it also polls after a silence: after a second, then
 * after twice as long each time, until that shows a change.
 */
export interface Pace {
  /** Least milliseconds between reads after events. */
  readonly debounceMs: number;
  /** Milliseconds without events before polling; 0 if there are no events. */
  readonly silenceMs: number;
  /** Longest pause between polls. */
  readonly longestPauseMs: number;
}

export interface SubscriptionParts {
  readonly pace: Pace;
  /** Calls `onEvent` when something may have changed. If it rejects, each poll tries again. */
  readonly listen: (onEvent: () => void, signal: AbortSignal) => Promise<Unwatch>;
  /**
   * The current state as comparable text; `undefined` if unknown. After an event, `mirrored` says that it may rest on what is known, which the event
   * has brought up to date; a poll looks for what no event tells.
   */
  readonly look: (signal: AbortSignal, mirrored: boolean) => Promise<string | undefined>;
  readonly onChange: () => void;
  /** Called once, when a poll found a change without an event. */
  readonly onUnannounced: () => void;
}

const FIRST_PAUSE_MS = 1000;
/** One change causes several events. */
const MOMENT_MS = 20;
/** Reads take at most this fraction of the time: one part in four. */
const REST_FACTOR = 4;

/** Reports each change of one resource once. Reads never overlap. */
export class Subscription {
  private readonly parts: SubscriptionParts;
  private readonly ending = new AbortController();
  private stopListening: Unwatch | undefined;
  private isListening = false;
  private known: string | undefined;
  private isReading = false;
  /** An event has occurred since the last read started. */
  private isDirty = false;
  private timer: NodeJS.Timeout | undefined;
  private isEventTimer = false;
  private pauseMs: number;
  private restUntil = 0;
  private readAt = Number.NEGATIVE_INFINITY;
  /** When a look asked everything anew. */
  private askedAnewAt = Number.NEGATIVE_INFINITY;
  private hasReported = false;

  constructor(parts: SubscriptionParts) {
    this.parts = parts;
    this.pauseMs = firstPause(parts.pace);
  }

  /** Resolves when every later change will be reported. */
  async begin(): Promise<void> {
    // Before the first read, or a change in between would be missed.
    await this.listen();
    const { signal } = this.ending;
    if (signal.aborted) return;
    this.isReading = true;
    this.known = await this.look(false);
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
      // Polling finds changes without events.
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

  /** Sets the timer for the next read. */
  private plan(): void {
    if (this.isReading || this.ending.signal.aborted) return;
    const { debounceMs } = this.parts.pace;
    const now = performance.now();
    const soon = Math.max(Math.min(MOMENT_MS, debounceMs), this.readAt + debounceMs - now);
    const pause = this.isDirty ? soon : this.pauseMs;
    const rest = this.restUntil - now;
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
    else this.readAt = performance.now();
    // Where events never end, nothing else would find what they do not tell.
    const mirrored = !isPoll && performance.now() - this.askedAnewAt < firstPause(this.parts.pace);
    const seen = await this.look(mirrored);
    this.isReading = false;
    if (signal.aborted) return;
    // If the first read failed, the first successful one counts as a change.
    const hasChanged = seen !== undefined && seen !== this.known;
    this.known = seen ?? this.known;
    if (isPoll) this.pauseMs = this.nextPause(hasChanged);
    if (hasChanged) {
      // An event during the poll means the change was announced.
      if (isPoll && !this.isDirty) this.reportUnannounced();
      this.parts.onChange();
    }
    this.plan();
  }

  private nextPause(hasChanged: boolean): number {
    const { silenceMs, longestPauseMs } = this.parts.pace;
    if (hasChanged || this.pauseMs === silenceMs) return FIRST_PAUSE_MS;
    return Math.min(this.pauseMs * 2, longestPauseMs);
  }

  private reportUnannounced(): void {
    if (this.hasReported) return;
    this.hasReported = true;
    this.parts.onUnannounced();
  }

  private async look(mirrored: boolean): Promise<string | undefined> {
    const started = performance.now();
    if (!mirrored) this.askedAnewAt = started;
    try {
      return await this.parts.look(this.ending.signal, mirrored);
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
