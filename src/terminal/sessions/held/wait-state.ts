import type { TerminalScreen } from '../../../model/terminals/terminal-screen.ts';
import type { WaitState } from '../../../model/terminals/terminal-state.ts';
import type { ForegroundProcess, TerminalFacts } from '../../../ports/terminals/pseudo-terminal.ts';

/** What the screen adds to the kernel's facts: modes and the cursor position, never the meaning of text. */
export interface ScreenFacts {
  readonly isAlternate: boolean;
  /** There is text before the cursor in its row. */
  readonly isCursorAfterText: boolean;
  /** Bracketed paste is on; line editors enable it while they read a line. */
  readonly isPasteBracketed: boolean;
  /** Application cursor keys, mouse tracking or a hidden cursor, which full-screen programs use. */
  readonly takesKeys: boolean;
}

/** @param textBeforeCursor text in the cursor's row */
export function screenFacts(
  { isAlternate, cursor, modes }: Pick<TerminalScreen, 'isAlternate' | 'cursor' | 'modes'>,
  textBeforeCursor: string,
): ScreenFacts {
  return {
    isAlternate,
    isCursorAfterText: textBeforeCursor.trim() !== '',
    isPasteBracketed: modes.isBracketedPaste,
    takesKeys: modes.isApplicationCursor || modes.mouseTracking !== 'none' || !cursor.isVisible,
  };
}

/** The session leader of the terminal. */
export interface ShellFacts {
  readonly group: number;
  /** From the marks of the shell; `undefined` if it prints none. */
  readonly isCommandRunning: boolean | undefined;
  /** It reads commands key by key, as bash, zsh and fish do, and not in canonical mode. */
  readonly hasLineEditor: boolean;
}

export interface WaitFacts {
  readonly terminal: TerminalFacts;
  readonly screen: ScreenFacts;
  /** Absent if the session leader is not a shell. */
  readonly shell: ShellFacts | undefined;
}

type Waiting = ForegroundProcess['waitsIn'];

export interface WaitReading {
  readonly state: WaitState;
  /** The process that waits or runs; of several the one most closely tied to the terminal. */
  readonly process?:
    | { readonly pid: number; readonly program: string; readonly waitsIn: Waiting }
    | undefined;
  /** The facts behind the state, in words. */
  readonly restsOn: readonly string[];
}

/** Most closely tied to the terminal first. */
const NEARNESS: readonly Waiting[] = ['terminal-read', 'poll', 'unknown', 'running', 'elsewhere'];

const WAITS: Readonly<Record<Waiting, string>> = {
  'terminal-read': 'reads the terminal',
  poll: 'polls the terminal',
  unknown: 'waits for something that the kernel does not show',
  running: 'runs',
  elsewhere: 'waits for something else',
};

export const EXITED: WaitReading = { state: 'exited', restsOn: ['the shell has ended'] };

/** Derives the state of a terminal from one reading; defined for any facts. */
export function classify({ terminal, screen, shell }: WaitFacts): WaitReading {
  const nearest = nearestProcess(terminal.processes);
  const state = stateOf(terminal, screen, shell, nearest?.waitsIn);
  return {
    state,
    ...(nearest === undefined
      ? {}
      : { process: { pid: nearest.pid, program: nearest.program, waitsIn: nearest.waitsIn } }),
    restsOn: evidence(terminal, screen, shell, nearest),
  };
}

/** Whether typed text might be read as a secret: sending is safe only if this is false. */
export function mayBeSecret({
  isEchoing,
  isLineMode,
}: Pick<TerminalFacts, 'isEchoing' | 'isLineMode'>): boolean {
  return isLineMode && !isEchoing;
}

function stateOf(
  terminal: TerminalFacts,
  screen: ScreenFacts,
  shell: ShellFacts | undefined,
  nearest: Waiting | undefined,
): WaitState {
  if (terminal.foregroundGroup === undefined) return 'running';
  // A program of another user may be hidden altogether; only a prompt for a secret switches off the echo and keeps the line mode.
  if (nearest === undefined) return mayBeSecret(terminal) ? 'waiting_for_secret' : 'running';
  if (isShellAtPrompt(terminal, shell, nearest)) return 'idle';
  return terminal.isLineMode ? inLineMode(terminal, screen, nearest) : inRawMode(screen, nearest);
}

/** Without marks, canonical mode tells a shell with a line editor from its builtin `read`. Without a line editor both look the same. */
function isShellAtPrompt(
  { foregroundGroup, isEchoing, isLineMode }: TerminalFacts,
  shell: ShellFacts | undefined,
  nearest: Waiting,
): boolean {
  if (shell === undefined || shell.group !== foregroundGroup) return false;
  if (nearest !== 'terminal-read' && nearest !== 'poll') return false;
  if (shell.isCommandRunning !== undefined) return !shell.isCommandRunning;
  return shell.hasLineEditor ? !isLineMode : isEchoing && nearest === 'terminal-read';
}

/**
 * A program that polls waits for input if there is text before the cursor. So does one that the kernel does not show, such as sudo; without echo it
 * reads a password.
 */
function inLineMode({ isEchoing }: TerminalFacts, screen: ScreenFacts, nearest: Waiting): WaitState {
  const mayWait = nearest === 'poll' || nearest === 'unknown';
  const isPrompt =
    nearest === 'terminal-read' ||
    (mayWait && screen.isCursorAfterText) ||
    (nearest === 'unknown' && !isEchoing);
  if (!isPrompt) return 'running';
  return isEchoing ? 'waiting_for_line' : 'waiting_for_secret';
}

function inRawMode(screen: ScreenFacts, nearest: Waiting): WaitState {
  if (screen.isAlternate || (screen.takesKeys && !screen.isPasteBracketed)) return 'full_screen';
  if (nearest === 'running' || nearest === 'elsewhere') return 'running';
  if (screen.isPasteBracketed) return 'waiting_for_line';
  return nearest === 'terminal-read' || screen.isCursorAfterText ? 'waiting_for_line' : 'running';
}

function nearestProcess(processes: readonly ForegroundProcess[]): ForegroundProcess | undefined {
  return processes.toSorted(
    (a, b) => NEARNESS.indexOf(a.waitsIn) - NEARNESS.indexOf(b.waitsIn) || a.pid - b.pid,
  )[0];
}

function evidence(
  { foregroundGroup, isEchoing, isLineMode, processes }: TerminalFacts,
  screen: ScreenFacts,
  shell: ShellFacts | undefined,
  nearest: ForegroundProcess | undefined,
): readonly string[] {
  if (foregroundGroup === undefined) return ['no process group has the terminal'];
  const others = processes.length - 1;
  return [
    ...(nearest === undefined
      ? [`no process is visible in group ${foregroundGroup}`]
      : [`${nearest.program} (${nearest.pid}) ${WAITS[nearest.waitsIn]}`]),
    ...(others > 0 ? [`${others} more in its group`] : []),
    ...(shell?.group === foregroundGroup ? [`the shell has the terminal${marksOf(shell)}`] : []),
    isLineMode ? 'input is read by line' : 'input is read key by key',
    isEchoing ? 'typed text is echoed' : 'typed text is not echoed',
    ...(screen.isAlternate ? ['the alternate screen is on'] : []),
    ...(screen.isPasteBracketed ? ['pasted text is bracketed'] : []),
    ...(screen.takesKeys ? ['keys, mouse or cursor are in a full-screen mode'] : []),
    ...(screen.isCursorAfterText ? ['there is text before the cursor'] : []),
  ];
}

function marksOf({ isCommandRunning }: ShellFacts): string {
  if (isCommandRunning === undefined) return '';
  return isCommandRunning ? ' and is running a command itself' : ' and has printed its prompt';
}
