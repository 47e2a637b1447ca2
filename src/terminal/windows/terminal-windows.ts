import type { TerminalFactsView } from '../../ports/terminals.ts';

/** Where an application shows a terminal. */
export interface TerminalPlace {
  readonly windowIdentifier: string | null;
  readonly tabIdentifier: string | null;
}

/** How a terminal has come to be seen. */
export interface TerminalShowing {
  /** Such as `xterm`; absent where it was shown before by one that is not known. */
  readonly application?: string | undefined;
  /** What was done for it. */
  readonly via: string;
  /** What was seen of it, in words. */
  readonly evidence: readonly string[];
}

/** What shows terminals to the user who calls. */
export interface TerminalWindows {
  /** The application as the user knows it, such as `Konsole`; `undefined` where none can be had. Never rejects. */
  application(): Promise<string | undefined>;
  /** `undefined` where nothing shows it. Never rejects. */
  placeOf(terminal: TerminalFactsView): Promise<TerminalPlace | undefined>;
  /**
   * Brings what shows it to the front; where nothing does, it is shown first.
   * @throws DeskterityError ACTION_NOT_SUPPORTED where no application can, ACTION_FAILED, TIMEOUT
   */
  focus(terminal: TerminalFactsView, signal: AbortSignal): Promise<TerminalShowing>;
  /** Shows it without taking the focus from what has it. @throws as {@link focus} */
  attach(terminal: TerminalFactsView, signal: AbortSignal): Promise<TerminalShowing>;
}
