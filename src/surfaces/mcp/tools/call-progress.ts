import type { RequestChannel } from '../connections/connection.ts';

const TICK_MS = 1000;

/**
 * Reports to a waiting client, once a second, how long its call has been running and what it is activity. Progress is in seconds,
 * of the deadline if the call has one.
 */
export class CallProgress {
  private readonly channel: RequestChannel;
  private readonly totalSeconds: number | undefined;
  private readonly startedMs = performance.now();
  private readonly timer: NodeJS.Timeout;
  private activity: string;

  constructor(channel: RequestChannel, activity: string, deadlineMs: number | undefined) {
    this.channel = channel;
    this.activity = activity;
    this.totalSeconds = deadlineMs === undefined ? undefined : deadlineMs / 1000;
    this.timer = setInterval(() => this.report(), TICK_MS);
  }

  step(activity: string): void {
    this.activity = activity;
    this.report();
  }

  end(): void {
    clearInterval(this.timer);
  }

  private report(): void {
    const seconds = (performance.now() - this.startedMs) / 1000;
    const of = this.totalSeconds === undefined ? '' : ` / ${this.totalSeconds} s`;
    this.channel.progress({
      message: `${this.activity} (${seconds.toFixed(1)} s${of})`,
      done: Number(seconds.toFixed(3)),
      total: this.totalSeconds,
    });
  }
}
