import { setTimeout as sleep } from 'node:timers/promises';
import type { EndWaits } from '../../../../ports/process.ts';
import type { Kernel } from '../libc-library.ts';
import type { ProcessEntry } from './process-table.ts';
import { sendSignal } from './send-signal.ts';

const POLL_MS = 10;
/** What is not gone this long after KILL hangs in the kernel, mostly in a file system that does not answer. */
const KILL_DEADLINE_MS = 5000;

/**
 * Ends processes: INT, TERM and KILL, each followed by a wait for all of them to be gone. A wait of 0 leaves its signal out. What starts
 * meanwhile is ended with the rest.
 * @param find the processes that are left
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
    const told = new Set<string>();
    while (left.length > 0 && performance.now() < end) {
      for (const entry of left) {
        const name = `${entry.pid} ${entry.startTime}`;
        if (told.has(name) && !again) continue;
        told.add(name);
        sendSignal(kernel, entry, signal);
        // One that is stopped does not hear TERM before it goes on.
        if (signal === 'SIGTERM') sendSignal(kernel, entry, 'SIGCONT');
      }
      const before = seen.size;
      left = look();
      // What multiplies is followed without a pause.
      await sleep(again && seen.size > before ? 0 : POLL_MS);
    }
  }
  return seen.size;
}
