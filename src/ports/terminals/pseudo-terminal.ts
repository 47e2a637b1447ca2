import type { Confinement } from '../../model/tools/confinement.ts';
import type { DeniedAccess } from '../../model/tools/operation.ts';
import type { TerminalSize } from '../../model/terminals/terminal-screen.ts';
import type { EndWaits, OutputPipe, ProcessExit, StartRequest } from '../process.ts';

export interface TerminalStartRequest extends Omit<StartRequest, 'output'> {
  readonly size: TerminalSize;
}

/** A process of the foreground process group. */
export interface ForegroundProcess {
  readonly pid: number;
  /** Name as the kernel has it: at most 15 characters. */
  readonly program: string;
  /**
   * `terminal-read`: a thread of it is reading from this terminal. `poll`: one waits for several descriptors, including this terminal. `elsewhere`:
   * all wait for something else. `unknown`: it waits, but the kernel does not show this user for what (programs of another user).
   */
  readonly waitsIn: 'terminal-read' | 'poll' | 'elsewhere' | 'running' | 'unknown';
}

/** The kernel's facts about a terminal; nothing is guessed from the screen. */
export interface TerminalFacts {
  /** The foreground process group; absent if there is none. */
  readonly foregroundGroup?: number | undefined;
  /** The kernel echoes input (ECHO). */
  readonly isEchoing: boolean;
  /** The kernel buffers lines (ICANON). */
  readonly isLineMode: boolean;
  readonly processes: readonly ForegroundProcess[];
}

/** A pseudo-terminal with the program that leads its session. */
export interface PseudoTerminal {
  readonly pid: number;
  /** The program runs in a sandbox process, which is the leader instead of the program. */
  readonly isWrapped: boolean;
  /** In clock ticks since boot; together with the pid it identifies the process permanently. */
  readonly startTime: string;
  /** Such as `/dev/pts/3`. */
  readonly path: string;
  /**
   * All output, in order and as the kernel passes it on (LF becomes CR LF), to be read once. Writers block until it is read. It ends when the
   * leader has ended and its output has been read; then the terminal is closed, and remaining processes can no longer write to it. If it is not
   * read to its end, it stays open until it is hung up. Destroying it hangs up.
   */
  readonly output: OutputPipe;
  /**
   * Types. Resolves once the terminal has accepted it, which may be never if no program reads: it holds 15 kB, and after that not even Ctrl+C.
   * @throws DeskterityError ACTION_FAILED if it has ended, or if it buffers lines and the kernel would cut one (over 4095 bytes); CANCELLED
   */
  write(bytes: Uint8Array, signal?: AbortSignal): Promise<void>;
  /** Also notifies the programs in it (SIGWINCH). Has no effect if it has ended. */
  resize(size: TerminalSize): void;
  /** @throws DeskterityError ACTION_FAILED if it has ended */
  facts(): Promise<TerminalFacts>;
  /**
   * Ends the foreground command with all its descendants, by INT, TERM and KILL; neither the leader nor its background jobs.
   * @param since also ends orphaned processes that were started from then on
   * @returns how many there were; 0 if the leader itself is in the foreground and there are no orphans
   * @throws DeskterityError ACTION_FAILED if some still run after KILL
   */
  endForeground(waits: EndWaits, since?: Date): Promise<number>;
  /** Closes it like a window: leader and foreground get SIGHUP. `ProcessPort.endAll` ends the rest. */
  hangUp(): void;
  readonly exited: Promise<ProcessExit>;
  /** Denied accesses so far; empty unless the confinement has `denyReport`. */
  denied(): readonly DeniedAccess[];
}

/** Opens terminals for confined programs. */
export interface PseudoTerminalPort {
  /** @throws DeskterityError SANDBOX_UNAVAILABLE, ACTION_FAILED if the program cannot be started */
  open(confinement: Confinement, request: TerminalStartRequest): Promise<PseudoTerminal>;
}
