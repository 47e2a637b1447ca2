import { constants } from 'node:os';
import type { Kernel } from '../libc-library.ts';
import { readProcess } from './process-table.ts';
import type { ProcessEntry } from './process-table.ts';

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
