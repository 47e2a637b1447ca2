import type { ClockPort } from '../../ports/clock.ts';
import type { ProcessExit } from '../../ports/process.ts';
import type { CommandOutcome, SessionState } from './command-session.ts';
import type { Received, RunOptions, ShellProtocol } from './shell-protocol.ts';
import type { ShellStart } from './shell-integration.ts';
import type { ShellFiles } from './shell-files.ts';
import type { TerminalDisplay } from '../sessions/held/terminal-display.ts';
import { commandNotWritten } from '../failures.ts';

/** Maximum delay of a Node timer. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export interface ShellDriverParts {
  readonly protocol: ShellProtocol;
  readonly files: Pick<ShellFiles, 'write' | 'writeHooks' | 'removeHooks' | 'removeCommand' | 'removeAll'>;
  readonly display: Pick<TerminalDisplay, 'show' | 'settled'>;
  readonly clock: ClockPort;
  /** Queues text for typing. */
  readonly type: (text: string) => void;
  /** A command has ended after its caller was answered. */
  readonly onLeftCommandEnd: (command: string, outcome: CommandOutcome) => void;
}

interface Latest {
  readonly sequence: number;
  readonly command: string;
  /** Absent once its caller has been answered. */
  onOutcome: ((outcome: CommandOutcome) => void) | undefined;
}

/** Runs commands in the shell of a terminal: output is displayed before the outcome of a command is reported. */
export class ShellDriver {
  private readonly parts: ShellDriverParts;
  private readonly waiting = new Set<() => void>();
  private latest: Latest | undefined;
  private lastExitCode: number | undefined;
  private hasRun = false;
  private timer: NodeJS.Timeout | undefined;
  private areRepliesUnread = false;
  private promptMs = Number.NEGATIVE_INFINITY;
  /** When the first key was typed at the prompt, or else the prompt was shown. */
  private lineMs = Number.POSITIVE_INFINITY;

  constructor(parts: ShellDriverParts) {
    this.parts = parts;
  }

  get state(): SessionState {
    return this.parts.protocol.state;
  }

  /** Exit code of the last ended command, including those typed by hand. */
  get exitCode(): number | undefined {
    const { state } = this;
    if (!this.hasRun) return undefined;
    return state.kind === 'idle' || state.kind === 'returning' ? state.exitCode : this.lastExitCode;
  }

  /**
   * A time before the command that is typed or running began. The time of its first mark is too late for that: on a busy machine we read the mark long after
   * the shell has written it and the command has started processes.
   */
  get notBegunBefore(): Date | undefined {
    const { state } = this;
    if (state.kind !== 'typed' && state.kind !== 'running') return undefined;
    const byHandMs = state.kind === 'running' ? Math.min(state.sinceMs, this.lineMs) : this.lineMs;
    const atMs = state.command?.typedMs ?? byHandMs;
    return new Date(Date.now() - (this.parts.clock.now() - atMs));
  }

  /** Replies were typed for a program that may have ended before it read them; they would be at the prompt now. */
  get mayHaveStrayInput(): boolean {
    return this.areRepliesUnread && this.state.kind === 'idle';
  }

  /** Time since the last prompt mark. */
  get promptAgeMs(): number {
    return this.parts.clock.now() - this.promptMs;
  }

  /** Processes output of the terminal. Resolves when it is displayed. */
  async receive(chunk: Uint8Array): Promise<void> {
    await this.process(this.parts.protocol.receive(chunk, this.parts.clock.now()));
  }

  /** The shell has ended and all its output has been received. */
  async end(exit: ProcessExit): Promise<void> {
    await this.process(this.parts.protocol.end(exit, this.parts.clock.now()));
    clearTimeout(this.timer);
    this.parts.files.removeAll();
  }

  /**
   * Runs a command. @param onOutcome called once with the first outcome
   * @returns its number
   * @throws DeskterityError TERMINAL_BUSY, TERMINAL_NOT_FOUND, INVALID_ARGUMENT, ACTION_FAILED; then nothing was typed
   */
  run(command: string, options: RunOptions, onOutcome: (outcome: CommandOutcome) => void): number {
    const { protocol, files, clock, type } = this.parts;
    const { sequence, file, line } = protocol.run(command, clock.now(), options);
    try {
      files.write(file);
    } catch (error) {
      protocol.withdraw(sequence);
      throw commandNotWritten(error);
    }
    this.latest = { sequence, command, onOutcome };
    this.schedule();
    type(line);
    return sequence;
  }

  /** The caller no longer waits. */
  leave(sequence: number): void {
    if (this.latest?.sequence === sequence) this.latest.onOutcome = undefined;
  }

  /** Must be called before anything but a command line is typed. */
  touch(): void {
    const nowMs = this.parts.clock.now();
    const { state } = this;
    if (state.kind === 'idle' && !state.isTouched) this.lineMs = nowMs;
    this.parts.protocol.touch(nowMs);
  }

  /**
   * A reply to a terminal query of a program is typed. That does not count as typing, or a shell that queries at each prompt could never be used; but a
   * reply that the program did not read remains at the prompt.
   */
  noteReply(): void {
    this.areRepliesUnread = true;
  }

  /** The line at the prompt is known to be empty. */
  noteEmptyLine(): void {
    this.areRepliesUnread = false;
  }

  /** See {@link ShellProtocol.assumePrompt}. */
  assumePrompt(): void {
    this.parts.protocol.assumePrompt();
    this.notifyWaiters();
  }

  /** Loads our hooks into a shell that a command has put in the place of the first one. @returns whether it prints marks now */
  async followReplaced(
    { files: hooks, lateLine }: Pick<ShellStart, 'files' | 'lateLine'>,
    limitMs: number,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { protocol, files, type, clock } = this.parts;
    try {
      files.writeHooks(hooks.filter(({ name }) => name === 'hooks'));
    } catch {
      return false;
    }
    const since = clock.now();
    type(lateLine);
    const end = since + limitMs;
    while (this.promptMs < since) {
      const remainingMs = end - clock.now();
      if (remainingMs <= 0 || signal.aborted) return false;
      await this.change(remainingMs, signal);
    }
    protocol.noteReplaced();
    this.notifyWaiters();
    return true;
  }

  /** Resolves when the condition holds or the time is up. @returns whether it holds */
  async until(
    holds: (state: SessionState) => boolean,
    limitMs: number,
    signal?: AbortSignal,
  ): Promise<boolean> {
    const { clock } = this.parts;
    const end = clock.now() + limitMs;
    while (!holds(this.state)) {
      const remainingMs = end - clock.now();
      if (remainingMs <= 0 || signal?.aborted === true) return false;
      await this.change(remainingMs, signal);
    }
    return true;
  }

  /** Resolves after the next output or when the time is up. */
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

  private async process({ shown, outcomes, isPrompt, begun }: Received): Promise<void> {
    const { files, display } = this.parts;
    if (isPrompt) {
      files.removeHooks();
      this.promptMs = this.parts.clock.now();
      this.lineMs = this.promptMs;
    }
    for (const sequence of begun) files.removeCommand(sequence);
    this.schedule();
    await display.show(shown);
    if (outcomes.length > 0) await display.settled();
    if (this.state.kind === 'running') this.hasRun = true;
    for (const outcome of outcomes) this.settle(outcome);
    this.notifyWaiters();
  }

  private settle(outcome: CommandOutcome): void {
    if (outcome.kind === 'completed') {
      this.hasRun = true;
      this.lastExitCode = outcome.exitCode;
    }
    if (this.latest?.sequence !== outcome.sequence) return;
    const { onOutcome, command } = this.latest;
    this.latest.onOutcome = undefined;
    if (onOutcome !== undefined) onOutcome(outcome);
    else if (outcome.kind === 'completed' || outcome.kind === 'shell_ended')
      this.parts.onLeftCommandEnd(command, outcome);
  }

  private schedule(): void {
    const { protocol, clock } = this.parts;
    clearTimeout(this.timer);
    if (protocol.deadlineMs === undefined) return;
    const waitMs = Math.max(0, protocol.deadlineMs - clock.now());
    this.timer = setTimeout(
      () => void this.process(protocol.pass(clock.now())),
      Math.min(Math.ceil(waitMs), LONGEST_TIMER_MS),
    );
  }

  private notifyWaiters(): void {
    for (const done of this.waiting) done();
  }
}
