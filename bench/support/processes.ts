import { readdir, readFile } from 'node:fs/promises';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** The needed part of `/proc/PID/stat`. */
export interface ProcessStat {
  readonly pid: number;
  readonly parent: number;
  /** Id of the session; a detached process starts a new one. */
  readonly session: number;
  /** User and system time so far, in clock ticks. */
  readonly ticks: number;
}

/** The name is in parentheses, and may itself contain anything. */
export function parseStat(text: string): ProcessStat | undefined {
  const [, pid, rest] = /^(\d+) \(.*\) (.*)$/s.exec(text) ?? [];
  const fields = rest?.trim().split(/\s+/) ?? [];
  const at = (index: number) => Number(fields[index]);
  const stat = { pid: Number(pid), parent: at(1), session: at(3), ticks: at(11) + at(12) };
  return Object.values(stat).every((value) => Number.isSafeInteger(value)) ? stat : undefined;
}

/** The children of a process with all processes of their sessions, without the process itself. */
export function belongingTo(pid: number, all: readonly ProcessStat[]): ProcessStat[] {
  const sessions = new Set(all.filter(({ parent }) => parent === pid).map(({ session }) => session));
  return all.filter(
    ({ pid: own, parent, session }) => own !== pid && (parent === pid || sessions.has(session)),
  );
}

export async function processes(): Promise<ProcessStat[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const texts = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')));
  return texts.flatMap((text) => parseStat(text) ?? []);
}

/** Memory of processes in bytes; shared memory is divided among those that share it (PSS). */
export async function sharedOutMemory(pids: readonly number[]): Promise<number> {
  const texts = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '')),
  );
  return texts.reduce((sum, text) => sum + Number(/^Pss:\s+(\d+) kB$/m.exec(text)?.[1] ?? 0) * 1024, 0);
}

/** Clock ticks of a second, in which the kernel counts processor time. */
export async function ticksPerSecond(): Promise<number> {
  const { stdout } = await promisify(execFile)('getconf', ['CLK_TCK']);
  return Number(stdout);
}
