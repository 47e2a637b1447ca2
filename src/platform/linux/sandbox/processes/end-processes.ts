import { setTimeout as sleep } from 'node:timers/promises';
import { constants } from 'node:os';
import type { EndWaits } from '../../../../ports/process.ts';
import type { Kernel } from '../libc-library.ts';
import { DeskterityError } from '../../../../model/effects/errors.ts';
import { readProcess, type ProcessEntry } from '../../process/facts.ts';

const POLL_MS = 10;
/** A process that exists this long after KILL is blocked in the kernel, usually by a file system that does not respond. */
const KILL_DEADLINE_MS = 5000;
const MOST_NAMED = 10;

/**
 * Ends processes with INT, TERM and KILL, waiting after each signal until all have exited. A wait of 0 skips its signal. Processes that start
 * in the meantime are ended too.
 * @param find returns the remaining processes, as far as it sees them
 * @returns how many there were
 * @throws DeskterityError ACTION_FAILED if some still run after KILL
 */
export async function endProcesses(
  kernel: Kernel,
  find: () => readonly ProcessEntry[],
  waits: EndWaits,
  killMs = KILL_DEADLINE_MS,
): Promise<number> {
  const family = new Family(find);
  const steps = [
    { signal: 'SIGINT', waitMs: waits.interruptMs, again: false },
    { signal: 'SIGTERM', waitMs: waits.terminateMs, again: false },
    { signal: 'SIGKILL', waitMs: killMs, again: true },
  ] as const;
  for (const { signal, waitMs, again } of steps) {
    if (waitMs <= 0) continue;
    let left = family.left();
    if (left.length === 0) return family.size;
    const end = performance.now() + waitMs;
    const signalled = new Set<string>();
    while (left.length > 0 && performance.now() < end) {
      for (const entry of left) {
        const name = nameOf(entry);
        if (signalled.has(name) && !again) continue;
        signalled.add(name);
        sendSignal(kernel, entry, signal);
        // A stopped process handles TERM only after it continues.
        if (signal === 'SIGTERM') sendSignal(kernel, entry, 'SIGCONT');
      }
      const before = family.size;
      left = family.left();
      // Do not pause while new processes keep appearing.
      await sleep(again && family.size > before ? 0 : POLL_MS);
    }
  }
  const surviving = family.left();
  if (surviving.length > 0) throw survive(surviving, killMs);
  return family.size;
}

/**
 * Processes and what they start. A look at processes that start and exit meanwhile is never exact: one whose parent exits during the look may be missing in
 * it. So what was seen once remains until it has exited, and "none" is believed only of a look that began after all that were seen had exited.
 */
class Family {
  private readonly find: () => readonly ProcessEntry[];
  private readonly seen = new Set<string>();
  private running = new Map<string, ProcessEntry>();

  constructor(find: () => readonly ProcessEntry[]) {
    this.find = find;
  }

  /** How many were seen. */
  get size(): number {
    return this.seen.size;
  }

  /** Those that have not exited. */
  left(): readonly ProcessEntry[] {
    const left = this.look();
    return left.length > 0 ? left : this.look();
  }

  private look(): readonly ProcessEntry[] {
    for (const entry of this.find()) {
      this.seen.add(nameOf(entry));
      this.running.set(nameOf(entry), entry);
    }
    this.running = new Map([...this.running].filter(([, entry]) => stillRuns(entry)));
    return [...this.running.values()];
  }
}

function nameOf({ pid, startTime }: ProcessEntry): string {
  return `${pid} ${startTime}`;
}

function stillRuns({ pid, startTime }: ProcessEntry): boolean {
  const now = readProcess(pid);
  return now?.startTime === startTime && !/[ZX]/.test(now.state);
}

function survive(processes: readonly ProcessEntry[], killMs: number): DeskterityError {
  const pids = processes.slice(0, MOST_NAMED).map(({ pid }) => pid);
  const more = processes.length > pids.length ? ` and ${processes.length - pids.length} more` : '';
  return new DeskterityError(
    'ACTION_FAILED',
    `Processes still run ${killMs / 1000} s after they were killed: ${pids.join(', ')}${more}.`,
    {
      suggestion:
        'They are blocked in the kernel, often on a device or a network file system, or start others faster than these can be ended; try again.',
      retryable: true,
      delivered: true,
    },
  );
}

/**
 * Sends a signal to exactly the process that was seen, even if its pid was reused: the descriptor refers to one process, and its start time
 * identifies it.
 * @returns whether it was sent
 */
export function sendSignal(
  kernel: Kernel,
  seen: Pick<ProcessEntry, 'pid' | 'startTime'>,
  signal: 'SIGINT' | 'SIGTERM' | 'SIGKILL' | 'SIGCONT',
): boolean {
  const descriptor = kernel.call('pidfd_open', seen.pid, 0);
  if (descriptor < 0) return false;
  try {
    if (readProcess(seen.pid)?.startTime !== seen.startTime) return false;
    return kernel.call('pidfd_send_signal', descriptor, constants.signals[signal], 0, 0) === 0;
  } finally {
    kernel.call('close', descriptor);
  }
}
