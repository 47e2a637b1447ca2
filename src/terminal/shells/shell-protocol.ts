import { CommandMarks, type Mark } from './command-marks.ts';
import { CommandOutput, type CapturedOutput } from './command-output.ts';
import { advance, commandOf, nextDeadline, requireIdle } from './command-session.ts';
import type { CommandOutcome, SessionEvent, SessionState } from './command-session.ts';
import { PrivateModes } from '../screen/private-modes.ts';
import type { BoundedShellKind } from './shell-kind.ts';
import { commandAsTyped, typedCommand, type TypedCommand } from './typed-command.ts';
import type { ProcessExit } from '../../ports/process.ts';

/** How long a key pressed before our line may still discard it. */
const TOUCH_LASTS_MS = 1000;
/** A deadline passed on later than this was held up with everything else: the shell may have answered, and nobody has read it yet. */
const HELD_UP_MS = 250;
/** For the shell to go on and for us to read what it has written by then. */
const AFTER_HELD_UP_MS = 1000;
/** No line editor writes more for one line; other output must not fill the memory. */
const MAX_ECHO_BYTES = 256 * 1024;

export interface ShellProtocolOptions {
  readonly kind: BoundedShellKind;
  readonly token: string;
  readonly startedMs: number;
  /** Output of each command kept in memory. */
  readonly keptBytes: number;
}

export interface RunOptions {
  readonly isBackground: boolean;
  readonly waitMs: number;
}

/** Byte range of a command's output in the terminal's output; `to` is absent while it runs. */
export interface OutputRange {
  readonly from: number;
  readonly to?: number;
}

export interface Received {
  /** Output for the screen and the scrollback, without marks; the echo of our lines is replaced by the command. */
  readonly shown: readonly Uint8Array[];
  readonly outcomes: readonly CommandOutcome[];
  /** A prompt was reached: the files with the token can be removed. */
  readonly isPrompt: boolean;
  /** Numbers of commands that have begun: their files can be removed. */
  readonly begun: readonly number[];
}

interface CurrentOutput {
  readonly sequence: number;
  readonly output: CommandOutput;
  readonly from: number | undefined;
  readonly to: number | undefined;
}

/** The protocol with the shell of one session: terminal output goes in, lines to type come out. Does no I/O. */
export class ShellProtocol {
  private readonly options: ShellProtocolOptions;
  private readonly marks: CommandMarks;
  private readonly modes = new PrivateModes();
  private current: SessionState;
  private sequence = 0;
  /** The state before the latest command. */
  private before: SessionState;
  private shownBytes = 0;
  private touchedMs = Number.NEGATIVE_INFINITY;
  /** A deadline that was held up, and the time that replaces it. */
  private heldUp: { readonly dueMs: number; readonly untilMs: number } | undefined;
  private latest: CurrentOutput | undefined;
  /** Output since our line was typed; shown only if the command never begins. */
  private echo: Uint8Array[] = [];
  private echoBytes = 0;

  constructor(options: ShellProtocolOptions) {
    this.options = options;
    this.marks = new CommandMarks(options.token);
    this.current = { kind: 'starting', sinceMs: options.startedMs };
    this.before = this.current;
  }

  get state(): SessionState {
    return this.current;
  }

  /** When {@link pass} must be called. */
  get deadlineMs(): number | undefined {
    const dueMs = nextDeadline(this.current);
    return dueMs !== undefined && dueMs === this.heldUp?.dueMs ? this.heldUp.untilMs : dueMs;
  }

  /** Registers a command and returns the line to type. @throws DeskterityError TERMINAL_BUSY, TERMINAL_NOT_FOUND, INVALID_ARGUMENT */
  run(command: string, nowMs: number, options: RunOptions): TypedCommand & { readonly sequence: number } {
    requireIdle(this.current, nowMs);
    const sequence = this.sequence + 1;
    const { isPasteBracketed } = this.modes;
    const typed = typedCommand(this.options.kind, sequence, command, isPasteBracketed);
    this.sequence = sequence;
    this.before = this.current;
    this.latest = {
      sequence,
      output: new CommandOutput(this.options.keptBytes),
      from: undefined,
      to: undefined,
    };
    this.step({
      kind: 'typed',
      command: {
        sequence,
        text: command,
        isBackground: options.isBackground,
        typedMs: nowMs,
        waitMs: options.waitMs,
        isAnswered: false,
      },
    });
    if (nowMs - this.touchedMs < TOUCH_LASTS_MS) this.step({ kind: 'touched' });
    return { ...typed, sequence };
  }

  /** Undoes {@link run} for a command that was not typed; nothing may have been received since. */
  withdraw(sequence: number): void {
    if (this.current.kind !== 'typed' || this.current.command.sequence !== sequence) return;
    this.current = this.before;
    this.sequence = sequence - 1;
    this.latest = undefined;
  }

  /** Must be called before anything but a command line is written to the terminal: keys, input, ctrl-c. */
  touch(nowMs: number): void {
    this.touchedMs = nowMs;
    this.step({ kind: 'touched' });
  }

  /** The kernel reports that the shell is reading, and the line is empty, such as after ctrl-c. For users who removed our hooks. */
  assumePrompt(): void {
    this.step({ kind: 'prompt-assumed' });
  }

  /** The running command has replaced the shell by another one, which is at its prompt. */
  noteReplaced(): void {
    this.step({ kind: 'replaced' });
  }

  receive(chunk: Uint8Array, nowMs: number): Received {
    const shown: Uint8Array[] = [];
    const outcomes: CommandOutcome[] = [];
    const begun: number[] = [];
    let isPrompt = false;
    for (const piece of this.marks.push(chunk)) {
      if (piece.kind === 'output') this.accept(piece.bytes, shown);
      else {
        isPrompt ||= piece.mark.kind === 'prompt';
        if (piece.mark.kind === 'begin' && piece.mark.sequence <= this.sequence)
          begun.push(piece.mark.sequence);
        outcomes.push(...this.applyMark(piece.mark, nowMs, shown));
      }
    }
    return { shown, outcomes, isPrompt, begun };
  }

  /** Handles elapsed deadlines. One that comes much too late, as after the machine stood still, is moved once. */
  pass(nowMs: number): Received {
    const shown: Uint8Array[] = [];
    const dueMs = nextDeadline(this.current);
    if (dueMs !== undefined && dueMs !== this.heldUp?.dueMs && nowMs - dueMs > HELD_UP_MS)
      this.heldUp = { dueMs, untilMs: nowMs + AFTER_HELD_UP_MS };
    if ((this.deadlineMs ?? nowMs) > nowMs) return { shown, outcomes: [], isPrompt: false, begun: [] };
    const outcomes = this.step({ kind: 'time', atMs: nowMs });
    if (this.current.kind !== 'typed') this.showEcho(shown);
    return { shown, outcomes, isPrompt: false, begun: [] };
  }

  /** The shell has ended and all its output has been received. */
  end(exit: ProcessExit, nowMs: number): Received {
    const shown: Uint8Array[] = [];
    this.accept(this.marks.flush(), shown);
    this.showEcho(shown);
    const outcomes = this.step({ kind: 'shell_ended', exit, atMs: nowMs });
    return { shown, outcomes, isPrompt: false, begun: [] };
  }

  /** The end of the output so far; `undefined` except for the latest command. */
  outputOf(sequence: number, lines: number): CapturedOutput | undefined {
    return this.latest?.sequence === sequence ? this.latest.output.last(lines) : undefined;
  }

  rangeOf(sequence: number): OutputRange | undefined {
    if (this.latest?.sequence !== sequence || this.latest.from === undefined) return undefined;
    const { from, to } = this.latest;
    return to === undefined ? { from } : { from, to };
  }

  private applyMark(mark: Mark, nowMs: number, shown: Uint8Array[]): CommandOutcome[] {
    const before = commandOf(this.current);
    const wasTyped = this.current.kind === 'typed';
    const outcomes = this.step({ kind: 'mark', mark, atMs: nowMs });
    if (wasTyped && before !== undefined && this.current.kind !== 'typed') {
      this.show(commandAsTyped(before.text, this.takeEcho()), shown);
      if (this.latest !== undefined) this.latest = { ...this.latest, from: this.shownBytes };
    }
    if (before !== undefined && commandOf(this.current) === undefined && this.latest !== undefined)
      this.latest = { ...this.latest, to: this.shownBytes };
    if (mark.kind !== 'prompt') this.modes.reset();
    return outcomes;
  }

  private accept(bytes: Uint8Array, shown: Uint8Array[]): void {
    if (bytes.length === 0) return;
    if (this.current.kind === 'typed') {
      this.echo.push(Buffer.from(bytes));
      this.echoBytes += bytes.length;
      this.modes.push(bytes);
      if (this.echoBytes > MAX_ECHO_BYTES) this.showEcho(shown);
      return;
    }
    if (this.current.kind === 'idle') this.modes.push(bytes);
    else if (commandOf(this.current) !== undefined) this.latest?.output.push(bytes);
    this.show(bytes, shown);
  }

  private showEcho(shown: Uint8Array[]): void {
    for (const bytes of this.takeEcho()) this.show(bytes, shown);
  }

  private takeEcho(): readonly Uint8Array[] {
    const { echo } = this;
    this.echo = [];
    this.echoBytes = 0;
    return echo;
  }

  private show(bytes: Uint8Array, shown: Uint8Array[]): void {
    this.shownBytes += bytes.length;
    shown.push(bytes);
  }

  private step(event: SessionEvent): CommandOutcome[] {
    const { state, outcome } = advance(this.current, event);
    this.current = state;
    return outcome === undefined ? [] : [outcome];
  }
}
