import type { WaitState } from '../../../model/terminals/terminal-state.ts';
import type { ForegroundProcess, TerminalFacts } from '../../../ports/terminals/pseudo-terminal.ts';

/** What the screen tells beside the kernel: modes that programs have set, and where the cursor is; never what a text says. */
export interface ScreenFacts {
  readonly isAlternate: boolean;
  /** In its row something that is no space stands before the cursor. */
  readonly isCursorAfterText: boolean;
  /** Pasted text is bracketed: line editors ask for it while they read a line. */
  readonly isPasteBracketed: boolean;
  /** Arrow keys are those of applications, the mouse is reported, or the cursor is hidden: what programs ask for that draw screens. */
  readonly takesKeys: boolean;
}

/** A screen as an emulator has it. */
export interface ScreenModes {
  readonly isAlternate: boolean;
  readonly cursor: { readonly isVisible: boolean };
  readonly modes: {
    readonly isBracketedPaste: boolean;
    readonly isApplicationCursor: boolean;
    /** `none`, or what of the mouse is reported. */
    readonly mouseTracking: string;
  };
}

/** @param textBeforeCursor of its row */
export function screenFacts(
  { isAlternate, cursor, modes }: ScreenModes,
  textBeforeCursor: string,
): ScreenFacts {
  return {
    isAlternate,
    isCursorAfterText: textBeforeCursor.trim() !== '',
    isPasteBracketed: modes.isBracketedPaste,
    takesKeys: modes.isApplicationCursor || modes.mouseTracking !== 'none' || !cursor.isVisible,
  };
}

/** The shell that leads the terminal. */
export interface ShellFacts {
  readonly group: number;
  /** By the marks of the shell; `undefined` where it makes none. */
  readonly isCommandRunning: boolean | undefined;
  /** It reads commands key by key, as bash, zsh and fish do; others gather lines. */
  readonly hasLineEditor: boolean;
}

export interface WaitFacts {
  readonly terminal: TerminalFacts;
  readonly screen: ScreenFacts;
  /** Absent where the leader is no shell. */
  readonly shell: ShellFacts | undefined;
}

export interface WaitReading {
  readonly state: WaitState;
  /** Who waits or runs; of several the one that stands nearest to the terminal. */
  readonly process?: { readonly pid: number; readonly program: string } | undefined;
  /** The facts it rests on, in words. */
  readonly restsOn: readonly string[];
}

type Waiting = ForegroundProcess['waitsIn'];

/** Nearest to the terminal first. */
const NEARNESS: readonly Waiting[] = ['terminal-read', 'poll', 'unknown', 'running', 'elsewhere'];

const WAITS: Readonly<Record<Waiting, string>> = {
  'terminal-read': 'reads the terminal',
  poll: 'polls the terminal',
  unknown: 'waits, of which the kernel shows no more',
  running: 'runs',
  elsewhere: 'waits for something else',
};

export const EXITED: WaitReading = { state: 'exited', restsOn: ['the shell has ended'] };

/** What a terminal is doing, by one look at it. Total: any facts give a state. */
export function classify({ terminal, screen, shell }: WaitFacts): WaitReading {
  const nearest = nearestProcess(terminal.processes);
  const state = stateOf(terminal, screen, shell, nearest?.waitsIn);
  return {
    state,
    ...(nearest === undefined ? {} : { process: { pid: nearest.pid, program: nearest.program } }),
    restsOn: evidence(terminal, screen, shell, nearest),
  };
}

/** Whether what is typed might be a secret: sending is safe only where this is false. */
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
  if (terminal.foregroundGroup === undefined || nearest === undefined) return 'running';
  if (isShellAtPrompt(terminal, shell, nearest)) return 'idle';
  return terminal.isLineMode ? inLineMode(terminal, screen, nearest) : inRawMode(screen, nearest);
}

/** Without marks a line editor tells: a builtin such as `read` leaves the line mode on. Where there is none, both look the same. */
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
 * One that polls waits for a person where the cursor stands behind a text. So does one of which the kernel shows nothing, such as sudo; without echo
 * it asks for a password.
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
  if (foregroundGroup === undefined) return ['nobody has the terminal'];
  const others = processes.length - 1;
  return [
    ...(nearest === undefined
      ? [`no process is seen in group ${foregroundGroup}`]
      : [`${nearest.program} (${nearest.pid}) ${WAITS[nearest.waitsIn]}`]),
    ...(others > 0 ? [`${others} more in its group`] : []),
    ...(shell?.group === foregroundGroup ? [`the shell has the terminal${marksOf(shell)}`] : []),
    isLineMode ? 'lines are gathered' : 'keys go through one by one',
    isEchoing ? 'what is typed is shown' : 'what is typed is not shown',
    ...(screen.isAlternate ? ['the alternate screen is on'] : []),
    ...(screen.isPasteBracketed ? ['pasted text is bracketed'] : []),
    ...(screen.takesKeys ? ['keys, mouse or cursor are those of a program that draws'] : []),
    ...(screen.isCursorAfterText ? ['the cursor stands behind a text'] : []),
  ];
}

function marksOf({ isCommandRunning }: ShellFacts): string {
  if (isCommandRunning === undefined) return '';
  return isCommandRunning ? ' and runs a command by itself' : ' and has printed its prompt';
}
