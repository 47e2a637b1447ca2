import { readText } from '../../node/quiet-files.ts';
import { allProcesses, readProcess, startingVariable, type ProcessEntry } from './facts.ts';
import { isSameProgram, programFile } from './same-program.ts';

/** USER_HZ: fixed in the kernel's interface, whatever its internal tick. */
const TICKS_PER_SECOND = 100;
/** Longer than any chain of scripts and helpers. */
const MOST_GENERATIONS = 64;
/** Which process asked for a program, by the startup notification of freedesktop.org; what the program starts inherits it. */
const STARTUP_ID = 'DESKTOP_STARTUP_ID';

/**
 * Those of these processes that `starter` had started within the last `withinMs`. So is a running program that one of the same name was started for,
 * as gnome-terminal hands over to its server.
 */
export function startedLately(
  starter: number,
  processes: readonly number[],
  withinMs: number,
): ReadonlySet<number> {
  const since = ticksNow() - (withinMs * TICKS_PER_SECOND) / 1000;
  const isYoung = (entry: ProcessEntry): boolean => Number(entry.startTime) >= since;
  const isStarted = (entry: ProcessEntry): boolean => isYoung(entry) && isOf(starter, entry, isYoung);
  const started = allProcesses().filter(isStarted);
  // Browsers start more of themselves at any time.
  const programs = started
    .flatMap(({ pid }) => programFile(pid) ?? [])
    .filter((program) => !isSameProgram(program, starter));
  return new Set(
    processes.filter(
      (pid) =>
        started.some((entry) => entry.pid === pid) || programs.some((program) => isSameProgram(program, pid)),
    ),
  );
}

/**
 * Whether a process comes of the starter: by its ancestors, by the startup notification, or because it is an orphan in the session that the starter
 * leads, which it can only have been born into. What started earlier may start something at any time: all between the two must be as new.
 */
function isOf(starter: number, entry: ProcessEntry, isYoung: (entry: ProcessEntry) => boolean): boolean {
  const id = startingVariable(entry.pid, STARTUP_ID);
  let [at, isInherited]: [ProcessEntry | undefined, boolean] = [entry, true];
  for (let generation = 0; at !== undefined && generation < MOST_GENERATIONS; generation++) {
    if (at.parent === starter) return true;
    const parent = readProcess(at.parent);
    isInherited = parent !== undefined && id !== undefined && startingVariable(parent.pid, STARTUP_ID) === id;
    if (parent === undefined || !isYoung(parent)) break;
    at = parent;
  }
  if (at?.session === starter && readProcess(at.parent)?.session !== starter) return true;
  return id !== undefined && !isInherited && isAskedBy(starter, id);
}

/** `thunar/|bin|sh/812-0-host_TIME0`, or `homebank-812-host-viewer-3_TIME77`. */
function isAskedBy(starter: number, id: string): boolean {
  return new RegExp(`[/-]${starter}-`).test(id);
}

/**
 * The time on the clock of the processes' start times. Containers may show their own uptime instead (lxcfs), and the time that this process runs leaves out
 * suspension; the later of the two never makes a process look younger than it is. Without either, none is young.
 */
export function ticksNow(uptime = readText('/proc/uptime')): number {
  const told = Number.parseFloat(uptime ?? '') * TICKS_PER_SECOND;
  const own = Number(readProcess(process.pid)?.startTime) + process.uptime() * TICKS_PER_SECOND;
  const known = [told, own].filter((ticks) => !Number.isNaN(ticks));
  return known.length === 0 ? Number.POSITIVE_INFINITY : Math.max(...known);
}
