import type { RequestVoice } from '../connections/connection.ts';

const TICK_MS = 1000;

/**
 * Tells a client that waits how long its call has been going on, once a second, and what is being done. Progress is in seconds, of the deadline where
 * the call has one.
 */
export class CallProgress {
  private readonly voice: RequestVoice;
  private readonly totalSeconds: number | undefined;
  private readonly startedMs = performance.now();
  private readonly timer: NodeJS.Timeout;
  private doing: string;

  constructor(voice: RequestVoice, doing: string, deadlineMs: number | undefined) {
    this.voice = voice;
    this.doing = doing;
    this.totalSeconds = deadlineMs === undefined ? undefined : deadlineMs / 1000;
    this.timer = setInterval(() => this.tell(), TICK_MS);
  }

  step(doing: string): void {
    this.doing = doing;
    this.tell();
  }

  end(): void {
    clearInterval(this.timer);
  }

  private tell(): void {
    const seconds = (performance.now() - this.startedMs) / 1000;
    const of = this.totalSeconds === undefined ? '' : ` / ${this.totalSeconds} s`;
    this.voice.progress({
      message: `${this.doing} (${seconds.toFixed(1)} s${of})`,
      done: Number(seconds.toFixed(3)),
      total: this.totalSeconds,
    });
  }
}
