import { readdirSync, readFileSync } from 'node:fs';

interface Stat {
  readonly state: string;
  readonly parent: number;
  readonly session: number;
  /** In clock ticks since boot, as text because it is only compared. */
  readonly startTime: string;
}

/** When the process started, in ticks since boot; with the pid it identifies a process uniquely. `undefined` if there is none. */
export function processStartTime(pid: number): string | undefined {
  return readStat(pid)?.startTime;
}

/** Program and arguments; empty for kernel threads, zombies and processes that no longer exist. */
export function commandLine(pid: number): string[] {
  const text = readProc(pid, 'cmdline');
  if (text === undefined || text === '') return [];
  return (text.endsWith('\0') ? text.slice(0, -1) : text).split('\0');
}

/** A variable of a process's initial environment; `undefined` if unset or hidden, as browsers do. */
export function startingVariable(pid: number, name: string): string | undefined {
  const entries = readProc(pid, 'environ')?.split('\0') ?? [];
  return entries.find((entry) => entry.startsWith(`${name}=`))?.slice(name.length + 1);
}

/** Resident memory; `undefined` if the process does not exist. */
export function residentBytes(pid: number): number | undefined {
  const kibibytes = /^VmRSS:\s*(\d+) kB$/m.exec(readProc(pid, 'status') ?? '')?.[1];
  return kibibytes === undefined ? undefined : Number(kibibytes) * 1024;
}

export function parentPid(pid: number): number | undefined {
  return readStat(pid)?.parent;
}

/** All running descendants of `pid`, children before grandchildren. */
export function descendants(pid: number): number[] {
  const children = new Map<number, number[]>();
  for (const [child, stat] of livingProcesses()) {
    children.set(stat.parent, [...(children.get(stat.parent) ?? []), child]);
  }
  const found: number[] = [];
  const queue = [pid];
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const below = children.get(next) ?? [];
    found.push(...below);
    queue.push(...below);
  }
  return found;
}

/** All running processes in the session that `pid` leads or led. */
export function sessionMembers(pid: number): number[] {
  return livingProcesses()
    .filter(([, stat]) => stat.session === pid)
    .map(([member]) => member);
}

function livingProcesses(): [number, Stat][] {
  const found: [number, Stat][] = [];
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const stat = readStat(Number(name));
    if (stat !== undefined && stat.state !== 'Z') found.push([Number(name), stat]);
  }
  return found;
}

function readStat(pid: number): Stat | undefined {
  const text = readProc(pid, 'stat');
  if (text === undefined) return undefined;
  // The program's name is in parentheses and may itself contain parentheses and spaces.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return {
    state: fields[0] ?? '',
    parent: Number(fields[1]),
    session: Number(fields[3]),
    startTime: fields[19] ?? '',
  };
}

function readProc(pid: number, file: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return undefined;
  }
}
