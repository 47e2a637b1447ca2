import { readdirSync, readFileSync } from 'node:fs';

export interface ProcessEntry {
  readonly pid: number;
  /** In clock ticks since boot; with the pid it identifies the process uniquely. */
  readonly startTime: string;
  readonly state: string;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
}

/** `undefined` if there is no such process. */
export function readProcess(pid: number): ProcessEntry | undefined {
  const text = readProcFile(`${pid}/stat`);
  if (text === undefined) return undefined;
  // The program's name is in parentheses and may itself contain parentheses and spaces.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return {
    pid,
    state: fields[0] ?? '',
    parent: Number(fields[1]),
    group: Number(fields[2]),
    session: Number(fields[3]),
    startTime: fields[19] ?? '',
  };
}

export function allProcesses(): ProcessEntry[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readProcess(Number(name)) ?? []);
}

/** All descendants of this process; as a subreaper, it keeps orphans. */
export function ownDescendants(): ProcessEntry[] {
  return descendantsOf([process.pid]);
}

/** All descendants of these processes, as far as the kernel lists them at this moment. */
export function descendantsOf(pids: readonly number[]): ProcessEntry[] {
  const found = new Map<number, ProcessEntry>();
  const queue = [...pids];
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const children = childrenOf(next);
    // This kernel does not list children.
    if (children === undefined) return allProcesses();
    for (const pid of children) {
      const entry = found.has(pid) ? undefined : readProcess(pid);
      if (entry === undefined) continue;
      found.set(pid, entry);
      queue.push(pid);
    }
  }
  return [...found.values()];
}

/** Children of this process, including adopted ones and zombies. */
export function ownChildren(): ProcessEntry[] {
  const pids = childrenOf(process.pid);
  return pids === undefined
    ? allProcesses().filter(({ parent }) => parent === process.pid)
    : pids.flatMap((pid) => readProcess(pid) ?? []);
}

/** Children of all threads; `undefined` if the kernel does not list them. */
function childrenOf(pid: number): number[] | undefined {
  let threads: string[];
  try {
    threads = readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
  const lists = threads.map((thread) => readProcFile(`${pid}/task/${thread}/children`));
  if (lists.every((list) => list === undefined) && !listsChildren()) return undefined;
  return lists.flatMap((list) =>
    (list ?? '')
      .split(' ')
      .filter((word) => word !== '')
      .map(Number),
  );
}

function listsChildren(): boolean {
  return readProcFile('thread-self/children') !== undefined;
}

/** A variable of a process's initial environment; `undefined` if unset or not readable. */
export function startingVariable(pid: number, name: string): string | undefined {
  const entries = readProcFile(`${pid}/environ`)?.split('\0') ?? [];
  return entries.find((entry) => entry.startsWith(`${name}=`))?.slice(name.length + 1);
}

/** The hard limit with this title in `/proc/PID/limits`, as text. */
export function hardLimit(pid: number | 'self', title: string): string | undefined {
  const line = readProcFile(`${pid}/limits`)
    ?.split('\n')
    .find((entry) => entry.startsWith(title));
  return line?.slice(title.length).trim().split(/\s+/)[1];
}

function readProcFile(name: string): string | undefined {
  try {
    return readFileSync(`/proc/${name}`, 'utf8');
  } catch {
    return undefined;
  }
}
