import type { ClockPort } from '../../ports/clock.ts';
import type { ProcessExit } from '../../ports/process.ts';
import type { CommandOutcome, SessionState } from './command-session.ts';
import type { Received, RunOptions, ShellDialogue } from './shell-dialogue.ts';
import type { ShellFiles } from './shell-files.ts';
import type { TerminalDisplay } from '../sessions/held/terminal-display.ts';
import { commandNotWritten } from '../failures.ts';

/** The longest that a timer can be set to. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export interface TalkParts {
  readonly dialogue: ShellDialogue;
  readonly files: ShellFiles;
  readonly display: TerminalDisplay;
  readonly clock: ClockPort;
  /** Types, some time soon. */
  readonly type: (text: string) => void;
  /** A command has ended for whose end nobody waited any more. */
  readonly onLeftCommandEnd: (command: string, outcome: CommandOutcome) => void;
}

interface Latest {
  readonly sequence: number;
  readonly command: string;
  /** Absent when its caller has been answered. */
  tell: ((outcome: CommandOutcome) => void) | undefined;
}

/** The talk with the shell of a terminal, carried out: what it says is shown before anybody is told what became of a command. */
export class ShellTalk {
  private readonly parts: TalkParts;
  private readonly waiting = new Set<() => void>();
  private latest: Latest | undefined;
  private lastExitCode: number | undefined;
  private hasRun = false;
  private timer: NodeJS.Timeout | undefined;
  private isLitterPossible = false;
  private promptMs = Number.NEGATIVE_INFINITY;

  constructor(parts: TalkParts) {
    this.parts = parts;
  }

  get state(): SessionState {
    return this.parts.dialogue.state;
  }

  /** Of the last command that has ended, whoever has started it. */
  get exitCode(): number | undefined {
    const { state } = this;
    if (!this.hasRun) return undefined;
    return state.kind === 'idle' || state.kind === 'returning' ? state.exitCode : this.lastExitCode;
  }

  /** When what runs was begun; `undefined` where nothing does. */
  get begunAt(): Date | undefined {
    const { state } = this;
    if (state.kind !== 'running') return undefined;
    return new Date(Date.now() - (this.parts.clock.now() - state.sinceMs));
  }

  /** Answers were typed for a program that may have ended before it read them: they would stand at the prompt then. */
  get mayHaveLitter(): boolean {
    return this.isLitterPossible && this.state.kind === 'idle';
  }

  /** How long ago the shell has said that it is about to show its prompt. */
  get promptAgeMs(): number {
    return this.parts.clock.now() - this.promptMs;
  }

  /** Takes in what came from the terminal. Resolves when all of it is shown. */
  async receive(chunk: Uint8Array): Promise<void> {
    await this.take(this.parts.dialogue.receive(chunk, this.parts.clock.now()));
  }

  /** The shell has ended, and all that was written was received. */
  async end(exit: ProcessExit): Promise<void> {
    await this.take(this.parts.dialogue.end(exit, this.parts.clock.now()));
    clearTimeout(this.timer);
    this.parts.files.removeAll();
  }

  /**
   * Has the shell run a command. @param tell gets the first that becomes of it, once
   * @returns its number
   * @throws DeskterityError TERMINAL_BUSY, TERMINAL_NOT_FOUND, INVALID_ARGUMENT, ACTION_FAILED; then nothing was typed
   */
  run(command: string, options: RunOptions, tell: (outcome: CommandOutcome) => void): number {
    const { dialogue, files, clock, type } = this.parts;
    const { sequence, file, line } = dialogue.run(command, clock.now(), options);
    try {
      files.write(file);
    } catch (error) {
      dialogue.takeBack(sequence);
      throw commandNotWritten(error);
    }
    this.latest = { sequence, command, tell };
    this.schedule();
    type(line);
    return sequence;
  }

  /** Its caller does not wait any more. */
  leave(sequence: number): void {
    if (this.latest?.sequence === sequence) this.latest.tell = undefined;
  }

  /** Something else than the line of a command is typed. */
  touch(): void {
    this.parts.dialogue.touch(this.parts.clock.now());
  }

  /**
   * An answer of the terminal to what a program has asked is typed. That is no touch, or a shell that asks something at each prompt could never be used; but what a command
   * has asked for and not read is left at the prompt.
   */
  noteAnswer(): void {
    this.isLitterPossible = true;
  }

  /** The line at the prompt is known to be empty. */
  noteClean(): void {
    this.isLitterPossible = false;
  }

  /** See {@link ShellDialogue.assumePrompt}. */
  assumePrompt(): void {
    this.parts.dialogue.assumePrompt();
    this.wake();
  }

  /** Resolves when it holds, or after so long. @returns whether it holds */
  async until(
    holds: (state: SessionState) => boolean,
    limitMs: number,
    signal?: AbortSignal,
  ): Promise<boolean> {
    const { clock } = this.parts;
    const end = clock.now() + limitMs;
    while (!holds(this.state)) {
      const left = end - clock.now();
      if (left <= 0 || signal?.aborted === true) return false;
      await this.change(left, signal);
    }
    return true;
  }

  /** Resolves when something was heard, or after so long. */
  private async change(limitMs: number, signal: AbortSignal | undefined): Promise<void> {
    await new Promise<void>((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.waiting.delete(done);
        signal?.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, limitMs);
      this.waiting.add(done);
      signal?.addEventListener('abort', done, { once: true });
    });
  }

  private async take({ shown, outcomes, isPrompt, begun }: Received): Promise<void> {
    const { files, display } = this.parts;
    if (isPrompt) {
      files.removeHooks();
      this.promptMs = this.parts.clock.now();
    }
    for (const sequence of begun) files.removeCommand(sequence);
    this.schedule();
    await display.show(shown);
    if (outcomes.length > 0) await display.settled();
    if (this.state.kind === 'running') this.hasRun = true;
    for (const outcome of outcomes) this.settle(outcome);
    this.wake();
  }

  private settle(outcome: CommandOutcome): void {
    if (outcome.kind === 'completed') {
      this.hasRun = true;
      this.lastExitCode = outcome.exitCode;
    }
    if (this.latest?.sequence !== outcome.sequence) return;
    const { tell, command } = this.latest;
    this.latest.tell = undefined;
    if (tell !== undefined) tell(outcome);
    else if (outcome.kind === 'completed' || outcome.kind === 'shell-ended')
      this.parts.onLeftCommandEnd(command, outcome);
  }

  private schedule(): void {
    const { dialogue, clock } = this.parts;
    clearTimeout(this.timer);
    if (dialogue.deadlineMs === undefined) return;
    const waitMs = Math.max(0, dialogue.deadlineMs - clock.now());
    this.timer = setTimeout(
      () => void this.take(dialogue.pass(clock.now())),
      Math.min(Math.ceil(waitMs), LONGEST_TIMER_MS),
    );
  }

  private wake(): void {
    for (const done of this.waiting) done();
  }
}
