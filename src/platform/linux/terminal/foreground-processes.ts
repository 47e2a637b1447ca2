import { includeDescendants } from '../sandbox/processes/operation-processes.ts';
import { descendantsOf, ownChildren, readProcess, type ProcessEntry } from '../process/facts.ts';

export interface Foreground {
  /** `undefined` if the terminal's main program is itself in the foreground: then only orphans are included. */
  readonly group: number | undefined;
  /** Start of its oldest process, in clock ticks since boot. */
  readonly since: number;
}

/**
 * All processes of a terminal's foreground job: its process group, their descendants, and orphans that started since, such as a daemon that
 * forks twice. Never a shell above it, nor that shell's background jobs.
 * @param processes all running processes in the terminal
 * @param program the terminal's main program
 * @param adopter the process that adopts orphans
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
  // In a PID namespace, orphans are adopted by its first process, an ancestor of the shell.
  const adopters = new Set([adopter, ...ancestorsOf(byPid, program)]);
  // A parent that has exited since its child was read is not among the processes any more: the child is being adopted.
  const isOrphan = ({ parent }: ProcessEntry) => adopters.has(parent) || !byPid.has(parent);
  const chosen = new Set(
    processes
      .filter((entry) => entry.group === group || (isOrphan(entry) && Number(entry.startTime) >= since))
      .map(({ pid }) => pid),
  );
  for (const pid of [leader, ...above]) chosen.delete(pid);
  includeDescendants(chosen, processes);
  return processes.filter(({ pid }) => chosen.has(pid));
}

/**
 * The terminal's main program, as requested by the user. With bubblewrap, which is then the session leader, it is the first child of the
 * first process in the namespace. `undefined` if it has not started yet.
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

/** From the parent of the group leader upwards. */
function ancestorsOf(byPid: ReadonlyMap<number, ProcessEntry>, group: number): number[] {
  const found: number[] = [];
  let next = byPid.get(group)?.parent;
  while (next !== undefined && byPid.has(next) && !found.includes(next)) {
    found.push(next);
    next = byPid.get(next)?.parent;
  }
  return found;
}

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
