import { randomInt } from 'node:crypto';
import { RLIMIT_LOCKS } from '../seccomp/call-policy.ts';
import type { Kernel } from '../libc-library.ts';
import { hardLimit } from '../../process/facts.ts';

/** Title of the limit in `/proc/PID/limits`. */
export const MARK_TITLE = 'Max file locks';
export const HIGHEST_MARK = 1n << 62n;
/** With a lower limit, no marks are used. */
export const LEAST_ROOM = 1n << 32n;
/** Number of random start values, used if there is enough room. */
const START_PLACES = 2 ** 40;
const ROOM_FOR_STARTS = 1n << 48n;

let shared: OperationMarks | undefined;

/** The marks of this process; shared, as a process has only one limit. */
export function operationMarks(kernel: Kernel): OperationMarks {
  shared ??= new OperationMarks(kernel);
  return shared;
}

/**
 * Marks the processes of an operation permanently. Linux has not enforced the limit on file locks since 2.4.25, but still stores it: every
 * child inherits it, a hard limit can only be lowered, and the sandbox forbids even that. Each start gets a unique value, lower than all
 * before. The mark survives a cleared environment, a new session and the exit of the parent.
 */
class OperationMarks {
  private readonly kernel: Kernel;
  private readonly operations = new Map<string, string>();
  /** The first and the current value of the countdown. */
  private readonly highest: bigint;
  private next: bigint | undefined;
  private turn: Promise<unknown> = Promise.resolve();

  constructor(kernel: Kernel) {
    this.kernel = kernel;
    const limits = new BigUint64Array(2);
    const read = kernel.call('prlimit64', 0, RLIMIT_LOCKS, 0, limits);
    const hard = limits[1] ?? 0n;
    // If the limit is too low or cannot be set, processes are found by other means.
    const top = hard < HIGHEST_MARK ? hard : HIGHEST_MARK;
    // A random start, so that processes of others, such as a killed holder, do not look like ours.
    this.highest = top > ROOM_FOR_STARTS ? top - 2n * BigInt(randomInt(START_PLACES)) : top;
    this.next = read === 0 && this.highest >= LEAST_ROOM ? this.highest : undefined;
  }

  /** Whether every started process carries a mark. */
  get inUse(): boolean {
    return this.next !== undefined;
  }

  /** Runs a task that starts a process, which inherits a mark of the operation. One at a time, as the limit belongs to the whole process. */
  async during<T>(operationId: string, task: () => Promise<T>): Promise<T> {
    const turn = this.turn.then(async () => {
      const mark = this.lower();
      if (mark === undefined) return task();
      this.operations.set(mark, operationId);
      try {
        return await task();
      } finally {
        // Other children of this process belong to no operation.
        this.lower();
      }
    });
    this.turn = turn.catch(() => undefined);
    return turn;
  }

  /** Runs a task that starts a process outside any operation, while no mark is set that it would inherit. */
  async alone<T>(task: () => Promise<T>): Promise<T> {
    const turn = this.turn.then(task);
    this.turn = turn.catch(() => undefined);
    return turn;
  }

  /** The operation whose mark a process carries; zombies included. */
  operationOf(pid: number): string | undefined {
    const limit = this.operations.size > 0 ? hardLimit(pid, MARK_TITLE) : undefined;
    return limit === undefined ? undefined : this.operations.get(limit);
  }

  /** Whether a process belongs to any operation, even a forgotten one. */
  isMarked(pid: number): boolean {
    const limit = hardLimit(pid, MARK_TITLE);
    if (limit === undefined || !/^\d+$/.test(limit)) return false;
    // Marks alternate with unmarked values.
    const below = this.highest - BigInt(limit);
    return below > 0n && BigInt(limit) >= (this.next ?? 0n) && below % 2n === 1n;
  }

  /** Whether this process started marked processes of the operation. */
  knows(operationId: string): boolean {
    return [...this.operations.values()].includes(operationId);
  }

  /** Call when no process carries a mark of the operation any more. */
  forget(operationId: string): void {
    for (const [mark, owner] of this.operations) if (owner === operationId) this.operations.delete(mark);
  }

  private lower(): string | undefined {
    if (this.next === undefined) return undefined;
    const value = this.next - 1n;
    const limits = new BigUint64Array([value, value]);
    if (this.kernel.call('prlimit64', 0, RLIMIT_LOCKS, limits, 0) !== 0) {
      this.next = undefined;
      return undefined;
    }
    this.next = value;
    return String(value);
  }
}

export type { OperationMarks };
