import { constants } from 'node:os';
import type { Kernel } from '../libc-library.ts';
import { readProcess } from './process-table.ts';
import type { ProcessEntry } from './process-table.ts';

/**
 * Sends a signal to the very process that was seen, never to another one that got its number since: the descriptor holds on to one process, and
 * its start time tells which.
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
