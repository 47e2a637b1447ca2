import type { OperationMarks } from './operation-mark.ts';
import { allProcesses, ownDescendants, readProcess, startingVariable } from './process-table.ts';
import type { ProcessEntry } from './process-table.ts';

/** Set for every process of an operation; programs may drop it, the mark they may not. */
export const OPERATION_VARIABLE = 'DESKTERITY_OPERATION';

export interface Leader {
  readonly pid: number;
  readonly startTime: string;
}

/**
 * Every living process of an operation. Where its mark is known that decides; else the variable, the session and group of the leader and
 * what is below any of them.
 */
export function operationProcesses(
  marks: Pick<OperationMarks, 'knows' | 'operationOf'>,
  operationId: string,
  named: Leader | undefined,
): ProcessEntry[] {
  const leader = named === undefined || isReplaced(named) ? undefined : named;
  // An operation of an earlier holder may have left processes that are not below this one.
  const isOurs = marks.knows(operationId);
  const seen = new Map<number, ProcessEntry>();
  // The kernel may leave out children while others end, so what a second look adds counts as well.
  for (let look = 0; look < (isOurs ? 2 : 1); look += 1) {
    for (const entry of isOurs ? ownDescendants() : allProcesses()) seen.set(entry.pid, entry);
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
 * Whether another process has the number of the leader by now. The kernel gives a number away again only when no process has it, nor a session or group
 * of it: those of that number are somebody else's then.
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

function includeDescendants(
  members: Set<number>,
  processes: readonly ProcessEntry[],
  isUnmarked: (pid: number) => boolean,
): void {
  for (let grown = true; grown;) {
    grown = false;
    for (const { pid, parent } of processes) {
      if (members.has(pid) || !members.has(parent) || !isUnmarked(pid)) continue;
      members.add(pid);
      grown = true;
    }
  }
}
