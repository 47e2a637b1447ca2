import type { Identity } from '../../wire/daemon-protocol.ts';

export interface LifetimeParts {
  /** See {@link Identity.version}. */
  readonly version: string;
  /** What would be lost if the process ended now, besides calls: `1 private desktop`. */
  readonly keptBy: () => readonly string[];
  /** Called once. */
  readonly leave: (reason: string) => void;
  /** Until a caller's settings replace it. */
  readonly idleTimeoutMs: number;
}

/** Decides when the daemon exits: once it has nothing to do or keep, and after the idle time of the latest caller's settings. */
export class Lifetime {
  private readonly parts: LifetimeParts;
  private idleTimeoutMs: number;
  /** How many calls and other holders keep the process, by name. */
  private readonly holds = new Map([['call', 0]]);
  private timer: NodeJS.Timeout | undefined;
  private reason: string | undefined;

  constructor(parts: LifetimeParts) {
    this.parts = parts;
    this.idleTimeoutMs = parts.idleTimeoutMs;
    this.scheduleExit();
  }

  /** Whether no more calls are accepted. */
  get isLeaving(): boolean {
    return this.reason !== undefined;
  }

  get activeCalls(): number {
    return this.holds.get('call') ?? 0;
  }

  /** Counts a call. @returns a function to call when it has ended */
  begin(): () => void {
    clearTimeout(this.timer);
    return this.hold('call');
  }

  /** Keeps the process for something that needs it, such as an `MCP client`. @returns a function that releases it */
  hold(holder: string): () => void {
    this.holds.set(holder, (this.holds.get(holder) ?? 0) + 1);
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.holds.set(holder, (this.holds.get(holder) ?? 1) - 1);
      this.scheduleExit();
    };
  }

  /** Time without calls, in milliseconds, after which the process exits. */
  setIdleTimeout(milliseconds: number): void {
    if (milliseconds === this.idleTimeoutMs) return;
    this.idleTimeoutMs = milliseconds;
    this.scheduleExit();
  }

  identity(): Identity {
    const why = [
      ...[...this.holds].flatMap(([holder, count]) => counted(count, holder)),
      ...this.parts.keptBy(),
    ].join(', ');
    return {
      version: this.parts.version,
      pid: process.pid,
      isIdle: why === '',
      ...(why === '' ? {} : { why }),
    };
  }

  /** Exits unless something would be lost. @returns whether it exits */
  retire(): boolean {
    if (!this.identity().isIdle) return false;
    this.leave('retired for another version');
    return true;
  }

  leave(reason: string): void {
    if (this.reason !== undefined) return;
    this.reason = reason;
    clearTimeout(this.timer);
    this.parts.leave(reason);
  }

  private scheduleExit(): void {
    clearTimeout(this.timer);
    if (this.activeCalls > 0 || this.isLeaving) return;
    this.timer = setTimeout(() => {
      if (this.identity().isIdle) this.leave('idle');
      else this.scheduleExit();
    }, this.idleTimeoutMs);
  }
}

function counted(count: number, what: string): string[] {
  return count === 0 ? [] : [`${count} ${what}${count === 1 ? '' : 's'}`];
}
