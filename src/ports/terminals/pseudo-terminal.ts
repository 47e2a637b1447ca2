import type { Confinement, DeniedAccess } from '../../model/tools/confinement.ts';
import type { TerminalSize } from '../../model/terminals/terminal-screen.ts';
import type { EndWaits, OutputPipe, ProcessExit } from '../process.ts';

export interface TerminalStartRequest {
  /** Program (looked up in the PATH of `environment` unless it has a slash) and arguments. */
  readonly command: readonly [string, ...string[]];
  readonly cwd: string;
  /** All of it: nothing is inherited. */
  readonly environment: Readonly<Record<string, string>>;
  readonly size: TerminalSize;
  /** Marks every process it starts, so that none is left behind. */
  readonly operationId: string;
}

/** A process of the group that has the terminal. */
export interface ForegroundProcess {
  readonly pid: number;
  /** Name as the kernel has it: at most 15 characters. */
  readonly program: string;
  /**
   * `terminal-read`: a thread of it stands in a read of this terminal. `poll`: one waits for any of several descriptors, this terminal among them.
   * `elsewhere`: all wait for something else. `unknown`: it waits, and the kernel does not show this user for what (programs of another user).
   */
  readonly waitsIn: 'terminal-read' | 'poll' | 'elsewhere' | 'running' | 'unknown';
}

/** What the kernel says about a terminal; nothing is guessed from what is on the screen. */
export interface TerminalFacts {
  /** The process group that has the terminal; absent when nobody has it. */
  readonly foregroundGroup?: number | undefined;
  /** The kernel shows what is typed (ECHO). */
  readonly isEchoing: boolean;
  /** The kernel gathers lines (ICANON). */
  readonly isLineMode: boolean;
  readonly processes: readonly ForegroundProcess[];
}

/** A pseudo-terminal with the program that leads its session. */
export interface PseudoTerminal {
  readonly pid: number;
  /** The program runs in a sandbox that is a process of its own: that one, and not the program, is the leader. */
  readonly isWrapped: boolean;
  /** In clock ticks since boot; with the pid it names the process for good. */
  readonly startTime: string;
  /** Such as `/dev/pts/3`. */
  readonly path: string;
  /**
   * Every byte that is written to it, in order and as the kernel passes it on (it makes CR LF of LF), to be read once. Who writes waits for who reads.
   * It ends when the leader has ended and all that was written until then has been read; then the terminal is closed, and what was left behind in it can
   * write to it no more. One that is not read to its end stays open until it is hung up. Destroying it hangs up.
   */
  readonly output: OutputPipe;
  /**
   * Types. Resolves when the terminal has taken it, which may be never where nobody reads: it holds 15 kB, and after that not even Ctrl+C.
   * @throws DeskterityError ACTION_FAILED when it has ended, or gathers lines and the kernel would drop the rest of one (over 4095 bytes); CANCELLED
   */
  write(bytes: Uint8Array, signal?: AbortSignal): Promise<void>;
  /** Tells the programs in it (SIGWINCH). Nothing happens when it has ended. */
  resize(size: TerminalSize): void;
  /** @throws DeskterityError ACTION_FAILED when it has ended */
  facts(): Promise<TerminalFacts>;
  /**
   * Ends what the leader runs in the foreground, with all that it has started, by INT, TERM and KILL; neither the leader nor its jobs in the background.
   * @param since what was started from then on and has been left by whoever started it is meant, too
   * @returns how many there were; 0 where the leader has the terminal itself, and nothing was left
   */
  endForeground(waits: EndWaits, since?: Date): Promise<number>;
  /** Closes it as one closes a window: leader and foreground get SIGHUP. What does not end by that is ended by `ProcessPort.endAll`. */
  hangUp(): void;
  readonly exited: Promise<ProcessExit>;
  /** What its programs were denied so far; empty unless the confinement has `denyReport`. */
  denied(): readonly DeniedAccess[];
}

/** Opens terminals for confined programs. */
export interface PseudoTerminalPort {
  /** @throws DeskterityError SANDBOX_UNAVAILABLE, ACTION_FAILED when the program cannot be started */
  open(confinement: Confinement, request: TerminalStartRequest): Promise<PseudoTerminal>;
}
