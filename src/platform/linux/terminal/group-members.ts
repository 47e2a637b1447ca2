import { readdirSync } from 'node:fs';
import { descendantsOf, ownChildren, readProcess } from '../sandbox/processes/process-table.ts';
import type { ProcessEntry } from '../sandbox/processes/process-table.ts';

/**
 * The running processes of a process group in a terminal. They are descendants of the session leader or orphans that we adopted, so the
 * rest of the machine is not searched.
 */
export function groupMembers(group: number, leader: number): ProcessEntry[] {
  const known = [leader, group].flatMap((pid) => readProcess(pid) ?? []);
  const orphans = ownChildren().filter((entry) => entry.session === leader);
  const roots = [...new Set([...known, ...orphans].map(({ pid }) => pid))];
  const all = [...known, ...orphans, ...descendantsOf(roots)];
  const members = all.filter((entry) => entry.group === group && !/[ZX]/.test(entry.state));
  return [...new Map(members.map((entry) => [entry.pid, entry])).values()];
}

/** Thread ids of a process; empty if it no longer exists. */
export function threadsOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map(Number);
  } catch {
    return [];
  }
}
