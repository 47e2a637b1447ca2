import type { OperationMarks } from './operation-mark.ts';
import { allProcesses, descendantsOf, readProcess, startingVariable } from '../../process/facts.ts';
import type { ProcessEntry } from '../../process/facts.ts';

/** Set for every process of an operation; unlike the mark, programs can remove it. */
export const OPERATION_VARIABLE = 'DESKTERITY_OPERATION';

export interface Leader {
  readonly pid: number;
  readonly startTime: string;
}

/**
 * All running processes of an operation: by its mark if known, otherwise by the variable, the leader's session and group, and their
 * descendants.
 */
export function operationProcesses(
  marks: Pick<OperationMarks, 'knows' | 'operationOf'>,
  operationId: string,
  named: Leader | undefined,
): ProcessEntry[] {
  const leader = named === undefined || isReplaced(named) ? undefined : named;
  // Processes of an earlier holder's operation are not our descendants.
  const isOurs = marks.knows(operationId);
  const seen = new Map<number, ProcessEntry>();
  // The kernel may omit children while others exit, so look twice.
  for (let look = 0; look < (isOurs ? 2 : 1); look += 1) {
    // As a subreaper, this process keeps orphans.
    for (const entry of isOurs ? descendantsOf([process.pid]) : allProcesses()) seen.set(entry.pid, entry);
  }
  const living = [...seen.values()].filter(
    ({ pid, state }) => state !== 'Z' && state !== 'X' && pid !== process.pid,
  );
  const owners = new Map(living.map(({ pid }) => [pid, marks.operationOf(pid)]));
  const members = new Set(
    living
      .filter(
        (entry) => (owners.get(entry.pid) ?? ownerByOtherMeans(entry, operationId, leader)) === operationId,
      )
      .map(({ pid }) => pid),
  );
  includeDescendants(members, living, (pid) => owners.get(pid) === undefined);
  return living.filter(({ pid }) => members.has(pid));
}

/**
 * Whether the leader's pid was reused. The kernel reuses a number only if no process, session or group has it, so any session or group with
 * that number then belongs to another program.
 */
function isReplaced(leader: Leader): boolean {
  const current = readProcess(leader.pid);
  return current !== undefined && current.startTime !== leader.startTime;
}

function ownerByOtherMeans(
  entry: ProcessEntry,
  operationId: string,
  leader: Leader | undefined,
): string | undefined {
  const named = startingVariable(entry.pid, OPERATION_VARIABLE);
  if (named !== undefined) return named;
  if (leader === undefined || Number(entry.startTime) < Number(leader.startTime)) return undefined;
  if (entry.pid === leader.pid) return entry.startTime === leader.startTime ? operationId : undefined;
  return entry.session === leader.pid || entry.group === leader.pid ? operationId : undefined;
}

/** Adds the descendants of `members`, except those that do not qualify and their own descendants. */
export function includeDescendants(
  members: Set<number>,
  processes: readonly ProcessEntry[],
  qualifies: (pid: number) => boolean = () => true,
): void {
  for (let grown = true; grown;) {
    grown = false;
    for (const { pid, parent } of processes) {
      if (members.has(pid) || !members.has(parent) || !qualifies(pid)) continue;
      members.add(pid);
      grown = true;
    }
  }
}
