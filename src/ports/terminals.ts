import type { Confinement } from '../model/tools/confinement.ts';
import type { ScreenRow, TerminalScreen, TerminalSize } from '../model/terminals/terminal-screen.ts';
import type { WaitState } from '../model/terminals/terminal-state.ts';
import type { CallOptions } from './desktop.ts';
import type { OutputPart, OutputQuery } from './operations.ts';
import type { EndWaits } from './process.ts';

/** What a terminal is asked for by. There is one of each name at a time. */
export interface TerminalName {
  /** Absolute, with links resolved. */
  readonly projectPath: string;
  readonly tag: string;
}

/** How a terminal is started where there is none of the name. */
export interface TerminalStart {
  readonly name: TerminalName;
  /** Absolute path of the user's login shell. */
  readonly shell: string;
  /** All of it: nothing is inherited. */
  readonly environment: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly confinement: Confinement;
  readonly size: TerminalSize;
  /** Bytes of what is shown that are kept on the disk at most. */
  readonly budgetBytes: number;
}

/** A terminal as it is now. */
export interface TerminalFactsView {
  /** Such as `term-k3f7x2`: this one, and none of the same name before or after. */
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
  /** As the program in it has set it; empty where none has. */
  readonly title: string;
  /** Where its shell is, as far as that is known. */
  readonly cwd: string | undefined;
  readonly state: WaitState;
  /** The facts that the state rests on, in words. */
  readonly restsOn: readonly string[];
  /** Text before the cursor where a line or a secret is waited for. */
  readonly prompt: string | undefined;
  /** What runs in the foreground: the command of a caller, or the name of a program that somebody has started by hand. */
  readonly running: string | undefined;
  /** Of the last command that has ended. */
  readonly exitCode: number | undefined;
  /** How many people or programs are attached to it. */
  readonly attached: number;
}

export interface RunRequest {
  readonly command: string;
  /** Answered with the first output, and left running. */
  readonly isBackground: boolean;
  /** For its end; of one in the background for its first output. */
  readonly waitMs: number;
  /** The last lines of its output are answered. */
  readonly lines: number;
  /** What runs there is ended first, by these waits; else it is TERMINAL_BUSY. */
  readonly interrupt: EndWaits | undefined;
  /** The screen and what is above it are emptied first. */
  readonly clear: boolean;
}

export interface RunOutcome {
  /**
   * `waiting`: it stands still until somebody types. `timed_out`: it goes on running. `not_begun`: the shell has not taken it. `shell_ended`: the shell has ended
   * with it, as by `exit`.
   */
  readonly kind: 'completed' | 'started' | 'waiting' | 'timed_out' | 'not_begun' | 'shell_ended';
  readonly exitCode: number | undefined;
  /** What it wrote, or the end of it, as text without control sequences. */
  readonly output: string;
  /** What is not in the output, in words, with how to get it. */
  readonly leftOut: readonly string[];
  readonly durationMs: number;
  /** Bytes of it in what {@link TerminalsPort.bytes} has. */
  readonly range: { readonly from: number; readonly to?: number | undefined } | undefined;
  readonly terminal: TerminalFactsView;
}

/** A terminal at one moment, with lines above its screen. */
export interface TerminalReading {
  readonly screen: TerminalScreen;
  /** The last lines above the normal screen, the oldest first; as many as were asked for and are kept. */
  readonly scrollback: readonly ScreenRow[];
}

/** A terminal as its screen is read and worked, wherever its emulator is. All that it gives is plain data. */
export interface TerminalView {
  /** {@link TerminalFactsView.id}. */
  readonly id: string;
  /** For people, where the program in it gives no title. */
  readonly name: string;
  /** The process that leads it. */
  readonly pid: number;
  /** What all that was written so far has made of the screen. @throws DeskterityError TERMINAL_NOT_FOUND when it has ended */
  read(options: CallOptions & { readonly scrollbackLines: number }): Promise<TerminalReading>;
  /**
   * Types for a caller. Resolves when the terminal has taken it.
   * @throws DeskterityError TERMINAL_NOT_FOUND, ACTION_FAILED, TIMEOUT; POLICY_DENIED for text where a secret is waited for
   */
  write(bytes: Uint8Array, options: CallOptions): Promise<void>;
  resize(size: TerminalSize, options: CallOptions): Promise<void>;
  /**
   * Calls `listener` whenever something was written to the screen, until the returned function is called. It is not live at once: `listener` is called
   * when it has become so, for what may have been written before.
   */
  watch(listener: () => void): () => void;
  isAlive(): boolean;
}

/** A terminal that somebody is attached to from another one. */
export interface AttachedTerminal {
  /** Types for a person: secrets too. */
  write(bytes: Uint8Array): Promise<void>;
  resize(size: TerminalSize): Promise<void>;
  detach(): void;
  /** Resolves when it was detached or the terminal has ended; with its shell's exit code as shells count it, where that is known. */
  readonly ended: Promise<
    { readonly kind: 'detached' } | { readonly kind: 'exited'; readonly exitCode: number | undefined }
  >;
}

/** A command that was left running and has come to its end. */
export interface EndedCommand {
  readonly terminal: TerminalFactsView;
  readonly command: string;
  readonly exitCode: number | undefined;
}

/** Terminals of this user. They are kept by holders, which outlive daemons. A terminal is named by its id, but for `find` and `open`. */
export interface TerminalsPort {
  /** All there are, of all projects, the newest first. */
  list(): Promise<readonly TerminalFactsView[]>;
  find(name: TerminalName): Promise<TerminalFactsView | undefined>;
  /**
   * The one of that name, or a new one.
   * @throws DeskterityError SANDBOX_UNAVAILABLE, DAEMON_UNAVAILABLE, ACTION_FAILED; CONFLICT where the one that is there is confined otherwise
   */
  open(start: TerminalStart): Promise<TerminalFactsView>;
  /** @throws DeskterityError TERMINAL_NOT_FOUND */
  facts(id: string): Promise<TerminalFactsView>;
  /** @throws DeskterityError TERMINAL_NOT_FOUND, TERMINAL_BUSY, INVALID_ARGUMENT, ACTION_FAILED, CANCELLED: the command goes on then */
  run(id: string, request: RunRequest, signal: AbortSignal): Promise<RunOutcome>;
  /** The last lines of the screen and of what is above it, as they are shown. @throws DeskterityError TERMINAL_NOT_FOUND */
  lines(id: string, most: number): Promise<{ readonly text: string; readonly leftOut: readonly string[] }>;
  /** What was shown since its start, read like the output of an operation. @throws DeskterityError TERMINAL_NOT_FOUND, INVALID_ARGUMENT, TIMEOUT, BUDGET_TOO_SMALL */
  output(id: string, query: OutputQuery): Promise<OutputPart>;
  /** Bytes of what was shown, as they came. @throws DeskterityError TERMINAL_NOT_FOUND; ACTION_FAILED where not all of them were shown and kept */
  bytes(id: string, range: { readonly from: number; readonly to: number }): Promise<Uint8Array>;
  /** Ends what runs in the foreground with all it has started; the shell stays. @returns how many there were @throws DeskterityError TERMINAL_NOT_FOUND, ACTION_FAILED */
  kill(id: string, waits: EndWaits): Promise<number>;
  /** Empties the screen and what is above it; the disk keeps all. @throws DeskterityError TERMINAL_NOT_FOUND */
  clear(id: string): Promise<void>;
  /** Ends the shell with everything that was started in it. @throws DeskterityError TERMINAL_NOT_FOUND */
  close(id: string, waits: EndWaits): Promise<void>;
  /** @throws DeskterityError TERMINAL_NOT_FOUND */
  view(id: string): Promise<TerminalView>;
  /**
   * What draws the screen as it is, and then everything that it shows, in whole characters and sequences; what programs ask their terminal is taken out, as there is one that has
   * answered. The size of the terminal follows. Where `onBytes` gives a promise, no more comes until that is settled; who is too slow gets the screen anew
   * in the place of what he has missed.
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
  /** Called for each command that ends while this is watched and was left running: in the background, or because it took too long or waited. @returns ends the watch */
  onCommandEnd(listener: (ended: EndedCommand) => void): () => void;
}
