import type { Identity } from '../../wire/daemon-protocol.ts';

export interface LifeParts {
  /** See {@link Identity.version}. */
  readonly version: string;
  /** What would be lost if the process ended now, beside calls: `1 private desktop`. */
  readonly keptBy: () => readonly string[];
  /** Called once. */
  readonly leave: (reason: string) => void;
  /** Until a caller says otherwise. */
  readonly idleTimeoutMs: number;
}

/** How long the daemon stays: while it has something to do or to keep, and then for the idle time that the latest caller asks for. */
export class Life {
  private readonly parts: LifeParts;
  private idleTimeoutMs: number;
  private calls = 0;
  private readonly guests = new Map<string, number>();
  private timer: NodeJS.Timeout | undefined;
  private reason: string | undefined;

  constructor(parts: LifeParts) {
    this.parts = parts;
    this.idleTimeoutMs = parts.idleTimeoutMs;
    this.rest();
  }

  /** Whether no more calls are taken. */
  get isLeaving(): boolean {
    return this.reason !== undefined;
  }

  get activeCalls(): number {
    return this.calls;
  }

  /** To be called when a call begins; gives what is to be called when it has ended. */
  begin(): () => void {
    this.calls += 1;
    clearTimeout(this.timer);
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.calls -= 1;
      this.rest();
    };
  }

  /** To be called when somebody comes who must not be left alone, such as an `MCP client`; gives what is to be called when they have gone. */
  hold(guest: string): () => void {
    this.guests.set(guest, (this.guests.get(guest) ?? 0) + 1);
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.guests.set(guest, (this.guests.get(guest) ?? 1) - 1);
      this.rest();
    };
  }

  /** Time without calls, in milliseconds, after which the process leaves. */
  setIdleTimeout(milliseconds: number): void {
    if (milliseconds === this.idleTimeoutMs) return;
    this.idleTimeoutMs = milliseconds;
    this.rest();
  }

  identity(): Identity {
    const why = [
      ...counted(this.calls, 'call'),
      ...[...this.guests].flatMap(([guest, count]) => counted(count, guest)),
      ...this.parts.keptBy(),
    ].join(', ');
    return {
      version: this.parts.version,
      pid: process.pid,
      isIdle: why === '',
      ...(why === '' ? {} : { why }),
    };
  }

  /** Leaves unless something would be lost. */
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

  private rest(): void {
    clearTimeout(this.timer);
    if (this.calls > 0 || this.isLeaving) return;
    this.timer = setTimeout(() => {
      if (this.identity().isIdle) this.leave('idle');
      else this.rest();
    }, this.idleTimeoutMs);
  }
}

function counted(count: number, what: string): string[] {
  return count === 0 ? [] : [`${count} ${what}${count === 1 ? '' : 's'}`];
}
