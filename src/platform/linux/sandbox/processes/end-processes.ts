import { setTimeout as sleep } from 'node:timers/promises';
import { constants } from 'node:os';
import type { EndWaits } from '../../../../ports/process.ts';
import type { Kernel } from '../libc-library.ts';
import { readProcess, type ProcessEntry } from '../../process/facts.ts';

const POLL_MS = 10;
/** A process that exists this long after KILL is blocked in the kernel, usually by a file system that does not respond. */
const KILL_DEADLINE_MS = 5000;

/**
 * Ends processes with INT, TERM and KILL, waiting after each signal until all have exited. A wait of 0 skips its signal. Processes that start
 * in the meantime are ended too.
 * @param find returns the remaining processes
 * @returns how many there were
 */
export async function endProcesses(
  kernel: Kernel,
  find: () => readonly ProcessEntry[],
  waits: EndWaits,
): Promise<number> {
  const seen = new Set<string>();
  const look = () => {
    const found = find();
    for (const { pid, startTime } of found) seen.add(`${pid} ${startTime}`);
    return found;
  };
  const steps = [
    { signal: 'SIGINT', waitMs: waits.interruptMs, again: false },
    { signal: 'SIGTERM', waitMs: waits.terminateMs, again: false },
    { signal: 'SIGKILL', waitMs: KILL_DEADLINE_MS, again: true },
  ] as const;
  for (const { signal, waitMs, again } of steps) {
    if (waitMs <= 0) continue;
    let left = look();
    if (left.length === 0) break;
    const end = performance.now() + waitMs;
    const signalled = new Set<string>();
    while (left.length > 0 && performance.now() < end) {
      for (const entry of left) {
        const name = `${entry.pid} ${entry.startTime}`;
        if (signalled.has(name) && !again) continue;
        signalled.add(name);
        sendSignal(kernel, entry, signal);
        // A stopped process handles TERM only after it continues.
        if (signal === 'SIGTERM') sendSignal(kernel, entry, 'SIGCONT');
      }
      const before = seen.size;
      left = look();
      // Do not pause while new processes keep appearing.
      await sleep(again && seen.size > before ? 0 : POLL_MS);
    }
  }
  return seen.size;
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
