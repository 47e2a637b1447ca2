import { randomInt } from 'node:crypto';
import { RLIMIT_LOCKS } from '../seccomp/call-policy.ts';
import type { Kernel } from '../libc-library.ts';
import { hardLimit } from './process-table.ts';

/** As `/proc/PID/limits` calls the limit. */
export const MARK_TITLE = 'Max file locks';
export const HIGHEST_MARK = 1n << 62n;
/** Where the limit is lower no marks are used. */
export const LEAST_ROOM = 1n << 32n;
/** Where counting down begins is one of these, where there is that much room. */
const START_PLACES = 2 ** 40;
const ROOM_FOR_STARTS = 1n << 48n;

let shared: OperationMarks | undefined;

/** The marks of this process: there is one limit, so there is one of them. */
export function operationMarks(kernel: Kernel): OperationMarks {
  shared ??= new OperationMarks(kernel);
  return shared;
}

/**
 * Marks the processes of an operation so that they can be told from all others for good. The number of file locks has not been limited since
 * Linux 2.4.25, but the limit is still there: it is inherited by every child, a hard limit can only be lowered, and the sandbox forbids that,
 * too. Each start gets a value of its own, lower than all before; nobody else has one that low. A cleared environment, a new session or a
 * parent that is gone do not take it away.
 */
class OperationMarks {
  private readonly kernel: Kernel;
  private readonly operations = new Map<string, string>();
  /** Where counting down began, and where it is. */
  private readonly highest: bigint;
  private next: bigint | undefined;
  private turn: Promise<unknown> = Promise.resolve();

  constructor(kernel: Kernel) {
    this.kernel = kernel;
    const limits = new BigUint64Array(2);
    const read = kernel.call('prlimit64', 0, RLIMIT_LOCKS, 0, new Uint8Array(limits.buffer));
    const hard = limits[1] ?? 0n;
    // Where somebody has set the limit so low that it does not last, or forbids it, processes are found by other means.
    const top = hard < HIGHEST_MARK ? hard : HIGHEST_MARK;
    // Processes that others have started, such as a holder that was killed, must not seem to be of ours.
    this.highest = top > ROOM_FOR_STARTS ? top - 2n * BigInt(randomInt(START_PLACES)) : top;
    this.next = read === 0 && this.highest >= LEAST_ROOM ? this.highest : undefined;
  }

  /** Whether every process that is started bears a mark. */
  get inUse(): boolean {
    return this.next !== undefined;
  }

  /** Runs a start, whose process then bears a mark of the operation. One at a time: the limit is the whole process's. */
  async during<T>(operationId: string, task: () => Promise<T>): Promise<T> {
    const turn = this.turn.then(async () => {
      const mark = this.lower();
      if (mark === undefined) return task();
      this.operations.set(mark, operationId);
      try {
        return await task();
      } finally {
        // What this process starts otherwise is of no operation.
        this.lower();
      }
    });
    this.turn = turn.catch(() => undefined);
    return turn;
  }

  /** Runs what starts a process that is of no operation, while no start is under way whose mark it would inherit. */
  async alone<T>(task: () => Promise<T>): Promise<T> {
    const turn = this.turn.then(task);
    this.turn = turn.catch(() => undefined);
    return turn;
  }

  /** The operation whose mark a process bears; also that of one that has ended and was not collected yet. */
  operationOf(pid: number): string | undefined {
    const limit = this.operations.size > 0 ? hardLimit(pid, MARK_TITLE) : undefined;
    return limit === undefined ? undefined : this.operations.get(limit);
  }

  /** Whether a process is of any operation, also one that is forgotten. */
  isMarked(pid: number): boolean {
    const limit = hardLimit(pid, MARK_TITLE);
    if (limit === undefined || !/^\d+$/.test(limit)) return false;
    // Marks and what lies between them take turns.
    const below = this.highest - BigInt(limit);
    return below > 0n && BigInt(limit) >= (this.next ?? 0n) && below % 2n === 1n;
  }

  /** Whether processes of the operation were started, marked, by this process. */
  knows(operationId: string): boolean {
    return [...this.operations.values()].includes(operationId);
  }

  /** No process bears a mark of the operation any more. */
  forget(operationId: string): void {
    for (const [mark, owner] of this.operations) if (owner === operationId) this.operations.delete(mark);
  }

  private lower(): string | undefined {
    if (this.next === undefined) return undefined;
    const value = this.next - 1n;
    const limits = new BigUint64Array([value, value]);
    if (this.kernel.call('prlimit64', 0, RLIMIT_LOCKS, new Uint8Array(limits.buffer), 0) !== 0) {
      this.next = undefined;
      return undefined;
    }
    this.next = value;
    return String(value);
  }
}

export type { OperationMarks };
