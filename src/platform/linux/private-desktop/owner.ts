import { readFileSync, readlinkSync } from 'node:fs';
import { z } from 'zod';
import { isAlive } from '../../paths.ts';
import { processStartTime } from '../process/facts.ts';

/** The process that started a desktop, identified well enough to survive reused process ids and other containers. */
export const OwnerRecord = z.object({
  pid: z.int().positive(),
  startTime: z.string(),
  /** Boot id and process namespace: a pid is meaningless outside them. */
  boot: z.string(),
  namespace: z.string(),
  /** The kept folder that the desktop has as HOME, and whose desktop it is. */
  home: z.string().optional(),
  session: z.string().optional(),
});
export type OwnerRecord = z.output<typeof OwnerRecord>;

/** This process as an owner. */
export function currentOwner(desktop: Pick<OwnerRecord, 'home' | 'session'> = {}): OwnerRecord {
  return { pid: process.pid, startTime: processStartTime(process.pid) ?? '', ...generation(), ...desktop };
}

/** Whether the owner has certainly exited; one that is not visible from here counts as running. */
export function isOwnerDead(owner: OwnerRecord): boolean {
  const here = generation();
  if (owner.boot !== here.boot) return true;
  if (owner.namespace !== here.namespace) return false;
  // A zombie's entry remains until its parent reaps it, which some parents never do.
  return processStartTime(owner.pid) !== owner.startTime || !isAlive(owner.pid);
}

function generation(): { boot: string; namespace: string } {
  return {
    boot: readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim(),
    namespace: readlinkSync('/proc/self/ns/pid'),
  };
}
