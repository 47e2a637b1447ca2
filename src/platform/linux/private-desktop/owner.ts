import { readFileSync, readlinkSync } from 'node:fs';
import { z } from 'zod';
import { isAlive } from '../../paths.ts';
import { processStartTime } from '../process/facts.ts';

/** Who started a desktop, precise enough that a reused process id or another container is not taken for it. */
export const OwnerRecord = z.object({
  pid: z.int().positive(),
  startTime: z.string(),
  /** Boot id and process namespace: a pid means nothing outside them. */
  boot: z.string(),
  namespace: z.string(),
});
export type OwnerRecord = z.output<typeof OwnerRecord>;

/** This process as an owner. */
export function currentOwner(): OwnerRecord {
  return { pid: process.pid, startTime: processStartTime(process.pid) ?? '', ...generation() };
}

/** Whether the owner is certainly dead; one that cannot be seen from here counts as living. */
export function isOwnerDead(owner: OwnerRecord): boolean {
  const here = generation();
  if (owner.boot !== here.boot) return true;
  if (owner.namespace !== here.namespace) return false;
  // Its entry stays until its parent collects it, which some never do.
  return processStartTime(owner.pid) !== owner.startTime || !isAlive(owner.pid);
}

function generation(): { boot: string; namespace: string } {
  return {
    boot: readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim(),
    namespace: readlinkSync('/proc/self/ns/pid'),
  };
}
