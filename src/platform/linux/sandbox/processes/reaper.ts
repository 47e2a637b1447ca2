import { constants } from 'node:os';
import type { Kernel } from '../libc-library.ts';
import type { OperationMarks } from './operation-mark.ts';
import { ownChildren, type ProcessEntry } from '../../process/facts.ts';

interface End {
  readonly exitCode: number | undefined;
  readonly signal: string | undefined;
}

const WNOHANG = 1;
const WAIT_FOR_ALL_KINDS = 0x40000000;
/** Orphans usually exit in groups. */
const GATHER_MS = 20;
const UNCLAIMED_AFTER_MS = 3000;
/** SIGCHLD is not queued, so this is the longest time an exit can go unnoticed. */
const POLL_MS = 1000;

/**
 * Reaps the programs that were started, and their orphans, which we adopt. Each by its pid: Node waits for its own children, and would never
 * report an exit that was reaped here.
 */
export class Reaper {
  private readonly kernel: Kernel;
  private readonly marks: OperationMarks;
  private readonly leaders = new Map<number, (end: End) => void>();
  /** When other zombies were first seen, by pid and start time. */
  private dead = new Map<string, number>();
  private starting = 0;
  private closing = false;
  private timer: NodeJS.Timeout | undefined;
  private due = 0;
  private poll: NodeJS.Timeout | undefined;
  private readonly onChild = () => this.look();

  constructor(kernel: Kernel, marks: OperationMarks) {
    this.kernel = kernel;
    this.marks = marks;
    process.on('SIGCHLD', this.onChild);
  }

  /** Stops once every started program has exited. */
  close(): void {
    this.closing = true;
    this.look();
  }

  /** Starts a program; the promise `exited` never rejects. */
  async watch<T extends { readonly pid: number }>(
    start: () => Promise<T>,
  ): Promise<{ readonly child: T; readonly exited: Promise<End> }> {
    // A child that exits before it is registered must not be mistaken for an orphan.
    this.starting += 1;
    try {
      const child = await start();
      const exited = new Promise<End>((resolve) => this.leaders.set(child.pid, resolve));
      this.poll ??= setInterval(() => this.look(), POLL_MS);
      this.look();
      return { child, exited };
    } finally {
      this.starting -= 1;
    }
  }

  private look(): void {
    for (const [pid, resolve] of this.leaders) {
      const end = this.collect(pid);
      if (end === undefined) continue;
      this.leaders.delete(pid);
      resolve(end);
    }
    if (this.leaders.size === 0) {
      // The interval keeps the process running while exits are expected.
      clearInterval(this.poll);
      this.poll = undefined;
      if (this.closing) process.off('SIGCHLD', this.onChild);
    }
    this.lookForOrphansIn(GATHER_MS);
  }

  private collectOrphans(): void {
    if (this.starting > 0) {
      this.look();
      return;
    }
    const now = performance.now();
    const stillDead = new Map<string, number>();
    for (const entry of ownChildren()) {
      if (entry.state !== 'Z' || this.leaders.has(entry.pid)) continue;
      const since = this.dead.get(nameOf(entry)) ?? now;
      // Node reaps its own children at once, so an unmarked zombie that remains is an orphan.
      if (this.marks.isMarked(entry.pid) || now - since >= UNCLAIMED_AFTER_MS) this.collect(entry.pid);
      else stillDead.set(nameOf(entry), since);
    }
    this.dead = stillDead;
    if (stillDead.size > 0) this.lookForOrphansIn(UNCLAIMED_AFTER_MS);
  }

  private lookForOrphansIn(delayMs: number): void {
    const due = performance.now() + delayMs;
    if (this.timer !== undefined && this.due <= due) return;
    clearTimeout(this.timer);
    this.due = due;
    this.timer = setTimeout(() => {
      this.timer = undefined;
      this.collectOrphans();
    }, delayMs).unref();
  }

  /** How a child exited; `undefined` while it is running. */
  private collect(pid: number): End | undefined {
    const status = new Int32Array(1);
    const collected = this.kernel.call('wait4', pid, status, WNOHANG | WAIT_FOR_ALL_KINDS, 0);
    if (collected === pid && isStop(status[0] ?? 0)) {
      // It requested tracing by its parent, which is this process, so it would stay stopped forever.
      this.kernel.call('kill', pid, constants.signals.SIGKILL);
      return undefined;
    }
    if (collected === pid) return endOf(status[0] ?? 0);
    // It was reaped elsewhere, so its status is unknown.
    return collected < 0 ? { exitCode: undefined, signal: undefined } : undefined;
  }
}

function nameOf({ pid, startTime }: ProcessEntry): string {
  return `${pid} ${startTime}`;
}

/** A stop of a traced child, which wait4 reports without WUNTRACED. */
function isStop(status: number): boolean {
  return (status & 0xff) === 0x7f;
}

function endOf(status: number): End {
  const number = status & 0x7f;
  if (number === 0) return { exitCode: (status >> 8) & 0xff, signal: undefined };
  const signal = Object.entries(constants.signals).find(([, value]) => value === number)?.[0];
  return { exitCode: undefined, signal: signal ?? `signal ${number}` };
}
