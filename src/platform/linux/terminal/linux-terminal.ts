import type { TerminalSize } from '../../../model/terminals/terminal-screen.ts';
import type { DeniedAccess } from '../../../model/tools/operation.ts';
import { DeskterityError } from '../../../model/effects/errors.ts';
import type { EndWaits, ProcessExit } from '../../../ports/process.ts';
import type {
  ForegroundProcess,
  PseudoTerminal,
  TerminalFacts,
} from '../../../ports/terminals/pseudo-terminal.ts';
import type { Begun } from '../sandbox/start-program.ts';
import { foregroundGroup, resizePty, terminalModes, type Pty } from './pty.ts';
import { TerminalInput } from './terminal-input.ts';
import { TerminalOutput } from './terminal-output.ts';
import { programName, threadsOf } from '../process/facts.ts';
import { groupMembers } from './foreground-processes.ts';
import { waitingPlace, type WaitingPlace } from './waiting-place.ts';

export interface StartedLeader {
  readonly leader: Begun;
  readonly denied: () => readonly DeniedAccess[];
  /** bubblewrap is the session leader, and the requested program runs below it. */
  readonly isWrapped: boolean;
}

export interface TerminalParts extends StartedLeader {
  readonly pty: Pty;
  readonly endForeground: (waits: EndWaits, since?: Date) => Promise<number>;
}

/** A pseudo-terminal whose session leader is running. */
export class LinuxTerminal implements PseudoTerminal {
  readonly pid: number;
  readonly isWrapped: boolean;
  readonly startTime: string;
  readonly path: string;
  readonly output: TerminalOutput;
  readonly exited: Promise<ProcessExit>;
  readonly denied: () => readonly DeniedAccess[];
  private readonly parts: TerminalParts;
  private readonly input: TerminalInput;
  private isClosed = false;

  constructor(parts: TerminalParts) {
    const { pty, leader } = parts;
    this.parts = parts;
    this.pid = leader.pid;
    this.isWrapped = parts.isWrapped;
    this.startTime = leader.startTime;
    this.path = pty.path;
    this.denied = parts.denied;
    this.input = new TerminalInput(pty);
    this.output = new TerminalOutput(pty, () => this.closed());
    this.exited = leader.exited.finally(() => this.output.leaderEnded());
  }

  async write(bytes: Uint8Array, signal?: AbortSignal): Promise<void> {
    return this.input.write(bytes, signal);
  }

  resize(size: TerminalSize): void {
    if (!this.isClosed) resizePty(this.parts.pty, size);
  }

  async facts(): Promise<TerminalFacts> {
    if (this.isClosed) throw hasEnded();
    return readFacts(this.parts.pty, this.pid);
  }

  async endForeground(waits: EndWaits, since?: Date): Promise<number> {
    return this.isClosed ? 0 : this.parts.endForeground(waits, since);
  }

  hangUp(): void {
    this.output.destroy();
  }

  private closed(): void {
    this.isClosed = true;
    this.input.close();
    this.parts.pty.kernel.call('close', this.parts.pty.slave);
  }
}

function hasEnded(): DeskterityError {
  return new DeskterityError('ACTION_FAILED', 'The terminal has ended.', { suggestion: 'Start a new one.' });
}

/** Over all processes of the group; reading this many takes a few milliseconds. */
const MOST_THREADS = 128;

/** Precedence when the threads of a process wait in different places. */
const RANK: readonly WaitingPlace[] = ['terminal-read', 'poll', 'running', 'unknown', 'elsewhere'];

/** Takes about a millisecond. @param leader pid of the session leader */
function readFacts(pty: Pty, leader: number): TerminalFacts {
  const group = foregroundGroup(pty);
  const modes = terminalModes(pty);
  if (group === undefined) return { ...modes, processes: [] };
  let left = MOST_THREADS;
  const processes = groupMembers(group, leader).flatMap(({ pid }): ForegroundProcess[] => {
    const threads = threadsOf(pid).slice(0, left);
    left -= threads.length;
    const program = programName(pid);
    if (program === undefined || threads.length === 0) return [];
    const places = threads.map((thread) => waitingPlace(pty.kernel, pty.node, { process: pid, thread }));
    return [{ pid, program, waitsIn: RANK.find((place) => places.includes(place)) ?? 'elsewhere' }];
  });
  return { foregroundGroup: group, ...modes, processes };
}
