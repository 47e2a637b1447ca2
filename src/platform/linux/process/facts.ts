import { readFileSync } from 'node:fs';
import { namesIn, readText } from '../../node/quiet-files.ts';
import type { ProcessIdentity, ProcessIdentityPort } from '../../../ports/process.ts';
import { isAlive } from '../../paths.ts';

export interface ProcessEntry {
  readonly pid: number;
  /** In clock ticks since boot; with the pid it identifies the process uniquely. Text, because it is mostly compared. */
  readonly startTime: string;
  readonly state: string;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
}

/** `undefined` if there is no such process. */
export function readProcess(pid: number): ProcessEntry | undefined {
  const text = readText(`/proc/${pid}/stat`);
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

/** Whether a process has a controlling terminal. */
export function hasTerminal(pid: number): boolean {
  const text = readText(`/proc/${pid}/stat`) ?? '';
  const number = Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[4]);
  return Number.isInteger(number) && number !== 0;
}

/** When the process started, in ticks since boot; with the pid it identifies a process uniquely. `undefined` if there is none. */
export function processStartTime(pid: number): string | undefined {
  return readProcess(pid)?.startTime;
}

export function allProcesses(): ProcessEntry[] {
  return namesIn('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readProcess(Number(name)) ?? []);
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
  const lists = threadsOf(pid).map((thread) => readText(`/proc/${pid}/task/${thread}/children`));
  const isListed = lists.length === 0 || lists.some((list) => list !== undefined);
  if (!isListed && readText('/proc/thread-self/children') === undefined) return undefined;
  return lists.flatMap((list) =>
    (list ?? '')
      .split(' ')
      .filter((word) => word !== '')
      .map(Number),
  );
}

/** Thread ids of a process; empty if it no longer exists. */
export function threadsOf(pid: number): number[] {
  return namesIn(`/proc/${pid}/task`).map(Number);
}

/** A variable of a process's initial environment; `undefined` if unset or hidden, as browsers do. */
export function startingVariable(pid: number, name: string): string | undefined {
  const entries = readText(`/proc/${pid}/environ`)?.split('\0') ?? [];
  return entries.find((entry) => entry.startsWith(`${name}=`))?.slice(name.length + 1);
}

/** The hard limit with this title in `/proc/PID/limits`, as text. */
export function hardLimit(pid: number | 'self', title: string): string | undefined {
  const line = readText(`/proc/${pid}/limits`)
    ?.split('\n')
    .find((entry) => entry.startsWith(title));
  return line?.slice(title.length).trim().split(/\s+/)[1];
}

/** Program and arguments; empty for kernel threads, zombies and processes that no longer exist. */
export function commandLine(pid: number): string[] {
  const text = readText(`/proc/${pid}/cmdline`) ?? '';
  return text === '' ? [] : text.replace(/\0$/, '').split('\0');
}

/** Resident memory; `undefined` if the process does not exist. */
export function residentBytes(pid: number): number | undefined {
  const kibibytes = /^VmRSS:\s*(\d+) kB$/m.exec(readText(`/proc/${pid}/status`) ?? '')?.[1];
  return kibibytes === undefined ? undefined : Number(kibibytes) * 1024;
}

/** The program name from the kernel's `comm`; `undefined` if the process does not exist. */
export function programName(pid: number): string | undefined {
  return readText(`/proc/${pid}/comm`)?.trimEnd();
}

/** All running processes in the session that `pid` leads or led. */
export function sessionMembers(pid: number): number[] {
  return allProcesses()
    .filter(({ session, state }) => session === pid && state !== 'Z')
    .map((entry) => entry.pid);
}

/** All running descendants of `pid`, children before grandchildren. */
export function descendants(pid: number): number[] {
  const running = allProcesses().filter(({ state }) => state !== 'Z');
  const family = [pid];
  for (const parent of family)
    family.push(...running.filter((entry) => entry.parent === parent).map((entry) => entry.pid));
  return family.slice(1);
}

/** Process identity, from procfs. */
export function createProcessIdentity(): ProcessIdentityPort {
  let boot: string | undefined;
  const bootId = () => (boot ??= readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim());
  return {
    self: () => ({ pid: process.pid, startTime: processStartTime(process.pid) ?? '', bootId: bootId() }),
    isRunning: (identity: ProcessIdentity) =>
      identity.bootId === bootId() &&
      processStartTime(identity.pid) === identity.startTime &&
      isAlive(identity.pid),
  };
}
