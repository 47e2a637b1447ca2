import type { ProcessEntry } from '../sandbox/processes/process-table.ts';

export interface Foreground {
  /** `undefined` where the program that leads the terminal has it itself: then only what was left behind is meant. */
  readonly group: number | undefined;
  /** When its oldest process began, in clock ticks since boot. */
  readonly since: number;
}

/**
 * What the foreground of a terminal has started, of all that runs in it: its group, what is below that, and what has been left since it began by whoever
 * started it, such as a daemon that forks twice. Never a shell above it, nor its jobs in the background.
 * @param processes all that run in the terminal
 * @param program that leads it for its user
 * @param adopter who gets orphans
 */
export function foregroundProcesses(
  processes: readonly ProcessEntry[],
  { group, since }: Foreground,
  program: number,
  leader: number,
  adopter: number,
): ProcessEntry[] {
  const byPid = new Map(processes.map((entry) => [entry.pid, entry]));
  const above = [program, ...ancestorsOf(byPid, program), ...ancestorsOf(byPid, group ?? program)];
  // In a process namespace orphans go to its first process, which stands above the shell.
  const adopters = new Set([adopter, ...ancestorsOf(byPid, program)]);
  const chosen = new Set(
    processes
      .filter(
        (entry) => entry.group === group || (adopters.has(entry.parent) && Number(entry.startTime) >= since),
      )
      .map(({ pid }) => pid),
  );
  for (const pid of [leader, ...above]) chosen.delete(pid);
  for (let grown = true; grown;) {
    grown = false;
    for (const { pid, parent } of processes) {
      if (chosen.has(pid) || !chosen.has(parent)) continue;
      chosen.add(pid);
      grown = true;
    }
  }
  return processes.filter(({ pid }) => chosen.has(pid));
}

/**
 * The process that leads a terminal for its user: what was asked for. bubblewrap, which leads the session then, starts it as the first below
 * the first process of its namespace. `undefined` while it is not there yet.
 */
export function programOf(
  processes: readonly ProcessEntry[],
  leader: number,
  isWrapped: boolean,
): number | undefined {
  if (!isWrapped) return leader;
  const first = oldestChild(processes, leader);
  return first === undefined ? undefined : oldestChild(processes, first);
}

function oldestChild(processes: readonly ProcessEntry[], parent: number): number | undefined {
  const children = processes.filter((entry) => entry.parent === parent);
  return children.toSorted((one, other) => Number(one.startTime) - Number(other.startTime))[0]?.pid;
}

/** From the parent of the group's leader upwards. */
function ancestorsOf(byPid: ReadonlyMap<number, ProcessEntry>, group: number): number[] {
  const found: number[] = [];
  let next = byPid.get(group)?.parent;
  while (next !== undefined && byPid.has(next) && !found.includes(next)) {
    found.push(next);
    next = byPid.get(next)?.parent;
  }
  return found;
}
