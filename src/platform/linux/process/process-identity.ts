import { readFileSync } from 'node:fs';
import type { ProcessIdentity, ProcessIdentityPort } from '../../../ports/process.ts';
import { isAlive } from '../../paths.ts';
import { processStartTime } from './facts.ts';

/** Process identity, from procfs. */
export function createProcessIdentity(): ProcessIdentityPort {
  let boot: string | undefined;
  const bootId = () => (boot ??= readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim());
  return {
    self: () => ({ pid: process.pid, startTime: processStartTime(process.pid) ?? '', bootId: bootId() }),
    isRunning: (identity: ProcessIdentity) =>
      identity.bootId === bootId() &&
      processStartTime(identity.pid) === identity.startTime &&
      isAlive(identity.pid),
  };
}
