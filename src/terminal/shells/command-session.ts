import { DeskterityError } from '../../model/effects/errors.ts';
import { reveal } from '../../model/text/untrusted-text.ts';
import type { ProcessExit } from '../../ports/process.ts';
import type { Mark } from './command-marks.ts';

/** How long a shell may take from the typed line to the beginning of the command; its own hooks run in between. Milliseconds. */
export const BEGIN_WITHIN_MS = 10_000;
/** The same after a prompt, which indicates that ctrl-c may have discarded the line. Milliseconds. */
export const BEGIN_AFTER_PROMPT_MS = 1500;
/** Maximum length of a command in a message. */
const SHOWN_COMMAND = 80;

/** A command that we run in the shell. Times are milliseconds of one clock. */
export interface SessionCommand {
  readonly sequence: number;
  readonly text: string;
  /** The caller wants the first output and leaves it running. */
  readonly isBackground: boolean;
  readonly typedMs: number;
  /** How long the caller waits, from `typedMs`. */
  readonly waitMs: number;
  /** The caller has received an answer. */
  readonly isAnswered: boolean;
}

/** The state of a session's shell. */
export type SessionState =
  | { readonly kind: 'starting'; readonly sinceMs: number }
  /** At the prompt. `isTouched`: something was typed there, and the line may be incomplete. */
  | {
      readonly kind: 'idle';
      readonly cwd: string | undefined;
      readonly exitCode: number;
      readonly isTouched: boolean;
    }
  /** A command was typed and has not begun. `isTouched`: other keys came at that time, and ctrl-c may have discarded it; `promptMs`: time of a prompt since. */
  | {
      readonly kind: 'typed';
      readonly command: SessionCommand;
      readonly cwd: string | undefined;
      readonly isTouched: boolean;
      readonly promptMs: number | undefined;
    }
  /** `command`: absent for a command typed by hand. */
  | {
      readonly kind: 'running';
      readonly command: SessionCommand | undefined;
      readonly sinceMs: number;
      readonly cwd: string | undefined;
    }
  /** The command has ended; the next prompt is not shown yet. */
  | { readonly kind: 'returning'; readonly cwd: string | undefined; readonly exitCode: number }
  | { readonly kind: 'gone'; readonly exit: ProcessExit };

export type SessionEvent =
  | { readonly kind: 'mark'; readonly mark: Mark; readonly atMs: number }
  | { readonly kind: 'typed'; readonly command: SessionCommand }
  /** Bytes other than our command line were written to the terminal. */
  | { readonly kind: 'touched' }
  /** No prompt mark has come, but the kernel reports that the shell is reading from its terminal, and the line is empty. */
  | { readonly kind: 'prompt-assumed' }
  /** The shell is known to read commands although ours has not ended: it replaced the shell, as `exec bash` does. */
  | { readonly kind: 'replaced' }
  | { readonly kind: 'time'; readonly atMs: number }
  | { readonly kind: 'shell_ended'; readonly exit: ProcessExit; readonly atMs: number };

/**
 * The outcome of a command. `completed`, `shell_ended` and `not_begun` (the shell did not start it in time) are final; `started` (in the background)
 * and `timed_out` are reported when the caller's time is over and the command continues.
 */
export interface CommandOutcome {
  readonly kind: 'completed' | 'started' | 'timed_out' | 'shell_ended' | 'not_begun';
  readonly sequence: number;
  /** 0 to 255, 128 + number for a signal; of the shell for `shell_ended`. */
  readonly exitCode?: number;
  /** From its beginning, or from the time of typing if it has not begun. */
  readonly durationMs: number;
}

export interface SessionStep {
  readonly state: SessionState;
  readonly outcome?: CommandOutcome;
}

/** One step of a session. Never throws; a mark that does not fit the state is ignored. */
export function advance(state: SessionState, event: SessionEvent): SessionStep {
  if (state.kind === 'gone') return { state };
  switch (event.kind) {
    case 'mark':
      return atMark(state, event.mark, event.atMs);
    case 'typed':
      return { state: typed(event.command, cwdOf(state)) };
    case 'touched':
      if (state.kind === 'idle' || state.kind === 'typed') return { state: { ...state, isTouched: true } };
      return { state };
    case 'prompt-assumed':
      return { state: assumed(state) };
    case 'replaced':
      return { state: idle(cwdOf(state), 0) };
    case 'time':
      return atTime(state, event.atMs);
    default:
      return atEnd(state, event.exit, event.atMs);
  }
}

/** The earliest time at which a `time` event has an effect. */
export function nextDeadline(state: SessionState): number | undefined {
  if (state.kind !== 'typed' && state.kind !== 'running') return undefined;
  const { command } = state;
  if (command === undefined) return undefined;
  const answer = command.isAnswered ? undefined : command.typedMs + command.waitMs;
  if (state.kind === 'running') return answer;
  return Math.min(answer ?? Number.POSITIVE_INFINITY, givenUpMs(state));
}

function givenUpMs({ command, promptMs }: Extract<SessionState, { readonly kind: 'typed' }>): number {
  const limit = command.typedMs + BEGIN_WITHIN_MS;
  return promptMs === undefined ? limit : Math.min(limit, promptMs + BEGIN_AFTER_PROMPT_MS);
}

/** @throws DeskterityError TERMINAL_BUSY, TERMINAL_NOT_FOUND unless the shell is at an untouched prompt */
export function requireIdle(state: SessionState, nowMs: number): void {
  if (state.kind === 'idle' && !state.isTouched) return;
  if (state.kind === 'gone')
    throw new DeskterityError('TERMINAL_NOT_FOUND', 'The shell of this terminal has ended.', {
      suggestion: 'Execute again to start a new shell.',
    });
  throw new DeskterityError('TERMINAL_BUSY', `The terminal is busy: ${busyWith(state, nowMs)}.`, {
    suggestion: SUGGESTIONS[state.kind],
    retryable: true,
  });
}

const SUGGESTIONS: Readonly<Record<Exclude<SessionState['kind'], 'gone'>, string>> = {
  starting:
    'Try again in a moment; if that does not help, look at the screen, because the start files may ask a question.',
  idle: 'Clear the line with ctrl-c or execute with interrupt.',
  typed: 'Try again when it has started.',
  running: 'Wait for it, read its output, press ctrl-c, execute with interrupt, or use another tag.',
  returning: 'Try again in a moment.',
};

function busyWith(state: Exclude<SessionState, { readonly kind: 'gone' }>, nowMs: number): string {
  switch (state.kind) {
    case 'starting':
      return 'the shell is starting';
    case 'idle':
      return 'somebody is typing at its prompt';
    case 'returning':
      return 'the shell is preparing its prompt';
    case 'typed':
      return `the shell has not started "${shown(state.command.text)}" yet`;
    default: {
      const since = `for ${String(Math.max(0, Math.round((nowMs - state.sinceMs) / 1000)))} s`;
      return state.command === undefined
        ? `a command typed by hand has been running ${since}`
        : `"${shown(state.command.text)}" has been running ${since}`;
    }
  }
}

function shown(text: string): string {
  const line = reveal(text);
  return line.length > SHOWN_COMMAND ? `${line.slice(0, SHOWN_COMMAND)}…` : line;
}

function atMark(state: Exclude<SessionState, { kind: 'gone' }>, mark: Mark, atMs: number): SessionStep {
  switch (mark.kind) {
    case 'line':
      if (state.kind === 'idle' || state.kind === 'returning')
        return { state: running(undefined, atMs, state.cwd) };
      return { state };
    case 'begin':
      if (state.kind === 'typed' && state.command.sequence === mark.sequence)
        return { state: running(state.command, atMs, state.cwd) };
      return { state };
    case 'end':
      if (commandOf(state)?.sequence !== mark.sequence) return { state };
      return completed(state, mark, atMs, {
        kind: 'returning',
        cwd: mark.cwd ?? cwdOf(state),
        exitCode: mark.exitCode,
      });
    default:
      return atPrompt(state, mark, atMs);
  }
}

function atPrompt(
  state: Exclude<SessionState, { kind: 'gone' }>,
  mark: Extract<Mark, { kind: 'prompt' }>,
  atMs: number,
): SessionStep {
  const command = commandOf(state);
  const prompt = idle(mark.cwd ?? cwdOf(state), mark.exitCode);
  if (command === undefined) return { state: prompt };
  if (mark.sequence === command.sequence) return completed(state, mark, atMs, prompt);
  // The previous number is a prompt from before the command was read; any other number is old output that was replayed.
  const isTaken = state.kind === 'typed' && state.isTouched && mark.sequence === command.sequence - 1;
  return { state: isTaken ? { ...state, promptMs: state.promptMs ?? atMs } : state };
}

function completed(
  state: SessionState,
  mark: Extract<Mark, { kind: 'end' | 'prompt' }>,
  atMs: number,
  next: SessionState,
): SessionStep {
  const command = commandOf(state);
  if (command === undefined) return { state: next };
  const durationMs = atMs - sinceOf(state, command);
  const { sequence } = command;
  return { state: next, outcome: { kind: 'completed', sequence, exitCode: mark.exitCode, durationMs } };
}

/** Not while our command runs: `read` is the shell itself, and a shell without hooks would not report the end. */
function assumed(state: Exclude<SessionState, { kind: 'gone' }>): SessionState {
  if (state.kind === 'starting' || commandOf(state) !== undefined) return state;
  const exitCode = state.kind === 'running' || state.kind === 'typed' ? 0 : state.exitCode;
  return idle(state.cwd, exitCode);
}

function atTime(state: Exclude<SessionState, { kind: 'gone' }>, atMs: number): SessionStep {
  const command = commandOf(state);
  if (command === undefined) return { state };
  const durationMs = atMs - sinceOf(state, command);
  const { sequence, typedMs } = command;
  if (state.kind === 'typed' && atMs >= givenUpMs(state)) {
    const isAtPrompt = state.promptMs !== undefined;
    const next = isAtPrompt ? idle(state.cwd, 0) : running(undefined, typedMs, state.cwd);
    return { state: next, outcome: { kind: 'not_begun', sequence, durationMs } };
  }
  if (command.isAnswered || atMs < typedMs + command.waitMs) return { state };
  const answered = { ...command, isAnswered: true };
  return {
    state: state.kind === 'typed' || state.kind === 'running' ? { ...state, command: answered } : state,
    outcome: { kind: command.isBackground ? 'started' : 'timed_out', sequence, durationMs },
  };
}

function atEnd(state: SessionState, exit: ProcessExit, atMs: number): SessionStep {
  const command = commandOf(state);
  const gone: SessionState = { kind: 'gone', exit };
  if (command === undefined) return { state: gone };
  return {
    state: gone,
    outcome: {
      kind: 'shell_ended',
      sequence: command.sequence,
      ...(exit.exitCode === undefined ? {} : { exitCode: exit.exitCode }),
      durationMs: atMs - sinceOf(state, command),
    },
  };
}

function typed(command: SessionCommand, cwd: string | undefined): SessionState {
  return { kind: 'typed', command, cwd, isTouched: false, promptMs: undefined };
}

function running(
  command: SessionCommand | undefined,
  sinceMs: number,
  cwd: string | undefined,
): SessionState {
  return { kind: 'running', command, sinceMs, cwd };
}

function idle(cwd: string | undefined, exitCode: number): SessionState {
  return { kind: 'idle', cwd, exitCode, isTouched: false };
}

/** Whether a command is typed or running, ours or one typed by hand. */
export function isRunning({ kind }: SessionState): boolean {
  return kind === 'running' || kind === 'typed';
}

/** Our command that is typed or running. */
export function commandOf(state: SessionState): SessionCommand | undefined {
  return state.kind === 'typed' || state.kind === 'running' ? state.command : undefined;
}

function sinceOf(state: SessionState, command: SessionCommand): number {
  return state.kind === 'running' ? state.sinceMs : command.typedMs;
}

function cwdOf(state: SessionState): string | undefined {
  return state.kind === 'starting' || state.kind === 'gone' ? undefined : state.cwd;
}
