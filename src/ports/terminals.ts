import type { Confinement } from '../model/tools/confinement.ts';
import type { ScreenRow, TerminalScreen, TerminalSize } from '../model/terminals/terminal-screen.ts';
import type { WaitState } from '../model/terminals/terminal-state.ts';
import type { CallOptions } from './call-options.ts';
import type { OutputPart, OutputQuery } from './operations.ts';
import type { EndWaits } from './process.ts';

/** The name of a terminal, unique at any time. */
export interface TerminalName {
  /** Absolute, with links resolved. */
  readonly projectPath: string;
  readonly tag: string;
}

/** How a terminal is started if none has the name. */
export interface TerminalStart {
  readonly name: TerminalName;
  /** Absolute path of the user's login shell. */
  readonly shell: string;
  /** The complete environment: nothing is inherited. */
  readonly environment: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly confinement: Confinement;
  readonly size: TerminalSize;
  /** At most this many bytes of its output are stored on disk. */
  readonly budgetBytes: number;
  /** Whom it belongs to; see `Caller`. */
  readonly owner?: string | undefined;
}

/** A terminal as it is now. */
export interface TerminalFactsView {
  /** Such as `term-k3f7x2`; never reused, even for the same name. */
  readonly id: string;
  readonly name: TerminalName;
  /** Of its shell. */
  readonly pid: number;
  /** Such as `/dev/pts/3`. */
  readonly ttyPath: string;
  readonly shell: string;
  readonly startedAt: Date;
  readonly isConfined: boolean;
  readonly size: TerminalSize;
  /** As set by the program in it; empty if none has. */
  readonly title: string;
  /** The current folder of its shell, if known. */
  readonly cwd: string | undefined;
  readonly state: WaitState;
  /** The facts that the state is based on, in words. */
  readonly restsOn: readonly string[];
  /** Text before the cursor if a program waits for a line or a secret. */
  readonly prompt: string | undefined;
  /** What runs in the foreground: the command of a caller, or the name of a program that a person has started. */
  readonly running: string | undefined;
  /** Of the last command that ended. */
  readonly exitCode: number | undefined;
  /** How many people or programs are attached to it. */
  readonly attached: number;
}

export interface RunRequest {
  readonly command: string;
  /** The call returns with the first output, and the command keeps running. */
  readonly isBackground: boolean;
  /** For its end or, in the background, for its first output. */
  readonly waitMs: number;
  /** How many of its last lines are returned. */
  readonly lines: number;
  /** If given, ends the running command first; otherwise the call fails with TERMINAL_BUSY. */
  readonly interrupt: EndWaits | undefined;
  /** Clears the screen and the scrollback first. */
  readonly clear: boolean;
}

export interface RunOutcome {
  /**
   * `waiting`: it waits for input. `timed_out`: it is still running. `not_begun`: the shell has not started it. `shell_ended`: the shell ended with
   * it, as by `exit`. `lost`: its terminal was killed with its holder after the command was sent; how far it came is unknown.
   */
  readonly kind: 'completed' | 'started' | 'waiting' | 'timed_out' | 'not_begun' | 'shell_ended' | 'lost';
  readonly exitCode: number | undefined;
  /** Its output, or the end of it, as text without control sequences. */
  readonly output: string;
  /** What was left out, in words, with how to get it. */
  readonly leftOut: readonly string[];
  readonly durationMs: number;
  /** Its byte range in {@link TerminalsPort.bytes}. */
  readonly range: { readonly from: number; readonly to?: number | undefined } | undefined;
  readonly terminal: TerminalFactsView;
}

/** A terminal at one moment, with lines above its screen. */
export interface TerminalReading {
  readonly screen: TerminalScreen;
  /** The last lines above the normal screen, the oldest first; as many as were requested and are stored. */
  readonly scrollback: readonly ScreenRow[];
}

/** Access to the screen of a terminal, wherever its emulator runs. All results are plain data. */
export interface TerminalView {
  /** {@link TerminalFactsView.id}. */
  readonly id: string;
  /** For people, if the program in it sets no title. */
  readonly name: string;
  /** The process that leads it. */
  readonly pid: number;
  /** The screen after all output so far. @throws DeskterityError TERMINAL_NOT_FOUND if it has ended */
  read(options: CallOptions & { readonly scrollbackLines: number }): Promise<TerminalReading>;
  /**
   * Types for a caller. Resolves once the terminal has accepted it.
   * @throws DeskterityError TERMINAL_NOT_FOUND, ACTION_FAILED, TIMEOUT; POLICY_DENIED for text if a program waits for a secret
   */
  write(bytes: Uint8Array, options: CallOptions): Promise<void>;
  resize(size: TerminalSize, options: CallOptions): Promise<void>;
  /**
   * Calls `listener` after output to the screen, until the returned function is called. The watch is not active at once: `listener` is called when it
   * becomes active, for output that may have come before.
   */
  watch(listener: () => void): () => void;
  isAlive(): boolean;
}

/** A terminal that a person is attached to from another one. */
export interface AttachedTerminal {
  /** Types for a person, including secrets. */
  write(bytes: Uint8Array): Promise<void>;
  resize(size: TerminalSize): Promise<void>;
  detach(): void;
  /** Resolves when it is detached or the terminal ends, with its shell's exit code as shells report it, if known. */
  readonly ended: Promise<
    { readonly kind: 'detached' } | { readonly kind: 'exited'; readonly exitCode: number | undefined }
  >;
}

/** What a terminal leaves behind that ended without being closed. */
export interface TerminalRemains {
  readonly id: string;
  /** Its commands were confined, so that the next terminal of its name must be, too. */
  readonly isConfined: boolean;
}

/** A background command that has ended. */
export interface EndedCommand {
  readonly terminal: TerminalFactsView;
  readonly command: string;
  readonly exitCode: number | undefined;
}

/** Terminals of this user. They belong to holders, which outlive daemons. All methods except `find` and `open` take the id. */
export interface TerminalsPort {
  /** Whom the terminal with this id belongs to, also when it has ended. @throws DeskterityError TERMINAL_NOT_FOUND */
  ownerOf(id: string): Promise<string | undefined>;
  /** The terminals of all projects, newest first. */
  list(): Promise<readonly TerminalFactsView[]>;
  find(name: TerminalName): Promise<TerminalFactsView | undefined>;
  /** `undefined` unless the latest terminal of that name has ended without being closed, and was confined or may have left processes behind. */
  remains(name: TerminalName): Promise<TerminalRemains | undefined>;
  /**
   * The terminal with that name, or a new one.
   * @throws DeskterityError SANDBOX_UNAVAILABLE, DAEMON_UNAVAILABLE, ACTION_FAILED; CONFLICT if the existing one is confined differently
   */
  open(start: TerminalStart): Promise<TerminalFactsView>;
  /** @throws DeskterityError TERMINAL_NOT_FOUND */
  facts(id: string): Promise<TerminalFactsView>;
  /** @throws DeskterityError TERMINAL_NOT_FOUND, TERMINAL_BUSY, INVALID_ARGUMENT, ACTION_FAILED, CANCELLED: then the command keeps running */
  run(id: string, request: RunRequest, signal: AbortSignal): Promise<RunOutcome>;
  /** The last lines of the screen and scrollback, as shown. @throws DeskterityError TERMINAL_NOT_FOUND */
  lines(id: string, most: number): Promise<{ readonly text: string; readonly leftOut: readonly string[] }>;
  /** All output since its start, read like the output of an operation. @throws DeskterityError TERMINAL_NOT_FOUND, INVALID_ARGUMENT, TIMEOUT, BUDGET_TOO_SMALL */
  output(id: string, query: OutputQuery): Promise<OutputPart>;
  /** Raw bytes of the output. @throws DeskterityError TERMINAL_NOT_FOUND; ACTION_FAILED if not all of them are stored */
  bytes(id: string, range: { readonly from: number; readonly to: number }): Promise<Uint8Array>;
  /** Ends the foreground command with all its descendants; the shell stays. @returns the number of processes @throws DeskterityError TERMINAL_NOT_FOUND, ACTION_FAILED */
  kill(id: string, waits: EndWaits): Promise<number>;
  /** Clears the screen and scrollback; the stored output stays. @throws DeskterityError TERMINAL_NOT_FOUND */
  clear(id: string): Promise<void>;
  /** Ends the shell with all its descendants, or removes the {@link TerminalRemains}. @throws DeskterityError TERMINAL_NOT_FOUND */
  close(id: string, waits: EndWaits): Promise<void>;
  /** @throws DeskterityError TERMINAL_NOT_FOUND */
  view(id: string): Promise<TerminalView>;
  /**
   * Sends the bytes that draw the current screen, then all further output, in complete characters and sequences; queries of programs to their
   * terminal are removed because the emulator has answered them. The terminal takes the given size. If `onBytes` returns a promise, the next bytes
   * wait for it; a client that is too slow gets the screen redrawn instead of the bytes it missed.
   * @throws DeskterityError TERMINAL_NOT_FOUND
   */
  attach(
    id: string,
    options: {
      readonly size: TerminalSize;
      readonly onBytes: (bytes: Uint8Array) => void | Promise<void>;
      readonly signal: AbortSignal;
    },
  ): Promise<AttachedTerminal>;
  /** Calls `listener` for each ended command that was left running: in the background, or because it took too long or waited for input. @returns ends the watch */
  onCommandEnd(listener: (ended: EndedCommand) => void): () => void;
}
