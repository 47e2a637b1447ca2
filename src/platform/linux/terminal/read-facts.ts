import { readFileSync } from 'node:fs';
import type { ForegroundProcess, TerminalFacts } from '../../../ports/terminals/pseudo-terminal.ts';
import { groupMembers, threadsOf } from './group-members.ts';
import { foregroundGroup, terminalModes } from './pty.ts';
import type { Pty } from './pty.ts';
import { waitingPlace } from './waiting-place.ts';
import type { WaitingPlace } from './waiting-place.ts';

/** Over all processes of the group; what a machine can look at in a few milliseconds. */
const MOST_THREADS = 128;

/** What counts for a process whose threads stand in different places: the first of these. */
const RANK: readonly WaitingPlace[] = ['terminal-read', 'poll', 'running', 'unknown', 'elsewhere'];

/** Asks the kernel. Takes about a millisecond. @param leader pid of the leader of the session */
export function readFacts(pty: Pty, leader: number): TerminalFacts {
  const group = foregroundGroup(pty);
  const modes = terminalModes(pty);
  if (group === undefined) return { ...modes, processes: [] };
  let left = MOST_THREADS;
  const processes = groupMembers(group, leader).flatMap(({ pid }): ForegroundProcess[] => {
    const threads = threadsOf(pid).slice(0, left);
    left -= threads.length;
    const program = programOf(pid);
    if (program === undefined || threads.length === 0) return [];
    const places = threads.map((thread) => waitingPlace(pty.kernel, pty.node, { process: pid, thread }));
    return [{ pid, program, waitsIn: RANK.find((place) => places.includes(place)) ?? 'elsewhere' }];
  });
  return { foregroundGroup: group, ...modes, processes };
}

function programOf(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trimEnd();
  } catch {
    return undefined;
  }
}
