import { CommandMarks } from './command-marks.ts';
import type { Mark } from './command-marks.ts';
import { CommandOutput } from './command-output.ts';
import type { CapturedOutput } from './command-output.ts';
import { advance, commandOf, nextDeadline, requireIdle } from './command-session.ts';
import type { CommandOutcome, SessionEvent, SessionState } from './command-session.ts';
import { PrivateModes } from '../screen/private-modes.ts';
import type { BoundedShellKind } from './shell-kind.ts';
import { commandAsTyped, typedCommand } from './typed-command.ts';
import type { TypedCommand } from './typed-command.ts';
import type { ProcessExit } from '../../ports/process.ts';

/** How long a key that was pressed before our line was typed may still take it away. */
const TOUCH_LASTS_MS = 1000;
/** No line editor writes so much for a line: something else writes, which must not fill the memory. */
const MOST_ECHO_BYTES = 256 * 1024;

export interface DialogueOptions {
  readonly kind: BoundedShellKind;
  readonly token: string;
  readonly startedMs: number;
  /** Of each command's output, how much is kept in memory. */
  readonly keptBytes: number;
}

export interface RunOptions {
  readonly isBackground: boolean;
  readonly waitMs: number;
  readonly isRemembered: boolean;
}

/** Where in what is shown a command's output is; `to` is absent while it runs. Byte offsets. */
export interface OutputRange {
  readonly from: number;
  readonly to?: number;
}

export interface Received {
  /** What belongs on the screen and into the scrollback: no marks, and for our own lines the command itself. */
  readonly shown: readonly Uint8Array[];
  readonly outcomes: readonly CommandOutcome[];
  /** A prompt was reached: the files that hold the token can go. */
  readonly isPrompt: boolean;
  /** Numbers of commands that have begun: their files have been read and can go. */
  readonly begun: readonly number[];
}

interface CurrentOutput {
  readonly sequence: number;
  readonly output: CommandOutput;
  readonly from: number | undefined;
  readonly to: number | undefined;
}

/** The talk with the shell of one session: what comes from the terminal goes in, and what is to be typed comes out. Does no I/O. */
export class ShellDialogue {
  private readonly options: DialogueOptions;
  private readonly marks: CommandMarks;
  private readonly modes = new PrivateModes();
  private current: SessionState;
  private sequence = 0;
  /** As it was before the latest command. */
  private before: SessionState;
  private shownBytes = 0;
  private touchedMs = Number.NEGATIVE_INFINITY;
  private latest: CurrentOutput | undefined;
  /** What came since our line was typed; shown only if the command never begins. */
  private echo: Uint8Array[] = [];
  private echoBytes = 0;

  constructor(options: DialogueOptions) {
    this.options = options;
    this.marks = new CommandMarks(options.token);
    this.current = { kind: 'starting', sinceMs: options.startedMs };
    this.before = this.current;
  }

  get state(): SessionState {
    return this.current;
  }

  /** When {@link pass} has something to do. */
  get deadlineMs(): number | undefined {
    return nextDeadline(this.current);
  }

  /** @throws DeskterityError TERMINAL_BUSY, TERMINAL_NOT_FOUND, INVALID_ARGUMENT; then nothing is to be typed */
  run(command: string, nowMs: number, options: RunOptions): TypedCommand & { readonly sequence: number } {
    requireIdle(this.current, nowMs);
    const sequence = this.sequence + 1;
    const typed = typedCommand(this.options.kind, sequence, command, {
      isRemembered: options.isRemembered,
      isPasteBracketed: this.modes.isPasteBracketed,
    });
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

  /** The latest command is not typed after all, and nothing was received since. */
  takeBack(sequence: number): void {
    if (this.current.kind !== 'typed' || this.current.command.sequence !== sequence) return;
    this.current = this.before;
    this.sequence = sequence - 1;
    this.latest = undefined;
  }

  /** Anything but the line of a command is written to the terminal: keys, input, ctrl-c. */
  touch(nowMs: number): void {
    this.touchedMs = nowMs;
    this.step({ kind: 'touched' });
  }

  /** The shell reads from its terminal, as the kernel says, where the line is empty: after ctrl-c, say. For users who took our hooks away. */
  assumePrompt(): void {
    this.step({ kind: 'prompt-assumed' });
  }

  receive(chunk: Uint8Array, nowMs: number): Received {
    const shown: Uint8Array[] = [];
    const outcomes: CommandOutcome[] = [];
    const begun: number[] = [];
    let isPrompt = false;
    for (const piece of this.marks.push(chunk)) {
      if (piece.kind === 'output') this.take(piece.bytes, shown);
      else {
        isPrompt ||= piece.mark.kind === 'prompt';
        if (piece.mark.kind === 'begin' && piece.mark.sequence <= this.sequence)
          begun.push(piece.mark.sequence);
        outcomes.push(...this.hear(piece.mark, nowMs, shown));
      }
    }
    return { shown, outcomes, isPrompt, begun };
  }

  /** Time has gone by. */
  pass(nowMs: number): Received {
    const shown: Uint8Array[] = [];
    const outcomes = this.step({ kind: 'time', atMs: nowMs });
    if (this.current.kind !== 'typed') this.showEcho(shown);
    return { shown, outcomes, isPrompt: false, begun: [] };
  }

  /** The shell has ended and all that was written has been received. */
  end(exit: ProcessExit, nowMs: number): Received {
    const shown: Uint8Array[] = [];
    this.take(this.marks.flush(), shown);
    this.showEcho(shown);
    const outcomes = this.step({ kind: 'shell-ended', exit, atMs: nowMs });
    return { shown, outcomes, isPrompt: false, begun: [] };
  }

  /** The end of what the command has written so far. Undefined for any but the latest command. */
  outputOf(sequence: number, lines: number): CapturedOutput | undefined {
    return this.latest?.sequence === sequence ? this.latest.output.last(lines) : undefined;
  }

  rangeOf(sequence: number): OutputRange | undefined {
    if (this.latest?.sequence !== sequence || this.latest.from === undefined) return undefined;
    const { from, to } = this.latest;
    return to === undefined ? { from } : { from, to };
  }

  private hear(mark: Mark, nowMs: number, shown: Uint8Array[]): CommandOutcome[] {
    const before = commandOf(this.current);
    const wasTyped = this.current.kind === 'typed';
    const outcomes = this.step({ kind: 'mark', mark, atMs: nowMs });
    if (wasTyped && before !== undefined && this.current.kind !== 'typed') {
      this.showCommand(before.text, shown);
      if (this.latest !== undefined) this.latest = { ...this.latest, from: this.shownBytes };
    }
    if (before !== undefined && commandOf(this.current) === undefined && this.latest !== undefined)
      this.latest = { ...this.latest, to: this.shownBytes };
    if (mark.kind !== 'prompt') this.modes.reset();
    return outcomes;
  }

  private take(bytes: Uint8Array, shown: Uint8Array[]): void {
    if (bytes.length === 0) return;
    if (this.current.kind === 'typed') {
      this.echo.push(Buffer.from(bytes));
      this.echoBytes += bytes.length;
      this.modes.push(bytes);
      if (this.echoBytes > MOST_ECHO_BYTES) this.showEcho(shown);
      return;
    }
    if (this.current.kind === 'idle') this.modes.push(bytes);
    else if (commandOf(this.current) !== undefined) this.latest?.output.push(bytes);
    this.show(bytes, shown);
  }

  private showCommand(text: string, shown: Uint8Array[]): void {
    this.show(commandAsTyped(text, this.takeEcho()), shown);
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
