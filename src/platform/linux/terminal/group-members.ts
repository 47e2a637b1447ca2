import { readdirSync } from 'node:fs';
import { descendantsOf, ownChildren, readProcess } from '../sandbox/processes/process-table.ts';
import type { ProcessEntry } from '../sandbox/processes/process-table.ts';

/**
 * The living processes of a process group of a terminal. They are below the leader of its session, or were left by whoever started them and are ours now:
 * the rest of the machine is not looked through.
 */
export function groupMembers(group: number, leader: number): ProcessEntry[] {
  const known = [leader, group].flatMap((pid) => readProcess(pid) ?? []);
  const orphans = ownChildren().filter((entry) => entry.session === leader);
  const roots = [...new Set([...known, ...orphans].map(({ pid }) => pid))];
  const all = [...known, ...orphans, ...descendantsOf(roots)];
  const members = all.filter((entry) => entry.group === group && !/[ZX]/.test(entry.state));
  return [...new Map(members.map((entry) => [entry.pid, entry])).values()];
}

/** Numbers of the threads of a process; none when it is gone. */
export function threadsOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map(Number);
  } catch {
    return [];
  }
}
