import type { Environment } from '../../model/sessions/caller.ts';
import type { Platform } from '../../ports/platform.ts';
import type { TerminalApplicationsPort } from '../../ports/terminals/terminal-applications.ts';
import type { TerminalFactsView } from '../../ports/terminals.ts';

/** Where an application shows a terminal. */
export interface TerminalPlace {
  readonly windowIdentifier: string | null;
  readonly tabIdentifier: string | null;
}

/** How a terminal was shown. */
export interface TerminalShowing {
  /** Such as `xterm`; absent if it was already shown by an unknown application. */
  readonly application?: string | undefined;
  /** What was done. */
  readonly via: string;
  /** What was observed, in words. */
  readonly evidence: readonly string[];
}

/** Shows terminals to the calling user. */
export interface TerminalWindows {
  /** Display name of the application, such as `Konsole`; `undefined` if there is none. Never rejects. */
  application(): Promise<string | undefined>;
  /** `undefined` if it is not shown. Never rejects. */
  placeOf(terminal: TerminalFactsView): Promise<TerminalPlace | undefined>;
  /**
   * Brings its window to the front, after opening one if necessary.
   * @throws DeskterityError ACTION_NOT_SUPPORTED if no application is available, POLICY_DENIED, CONFIRMATION_REQUIRED, ACTION_FAILED, TIMEOUT
   */
  focus(terminal: TerminalFactsView, signal: AbortSignal): Promise<TerminalShowing>;
  /** Checks what can be checked before anything is done. @throws as {@link focus} */
  requireShowing(terminal: TerminalFactsView): Promise<void>;
  /** Shows it without taking the focus. @throws as {@link focus} */
  attach(terminal: TerminalFactsView, signal: AbortSignal): Promise<TerminalShowing>;
}

/** What showing terminals in windows needs of the machine. */
export interface WindowMachine extends Pick<Platform, 'programs' | 'processes'> {
  readonly applications: TerminalApplicationsPort;
  /** Private folder of this user for sockets; it may not exist. */
  readonly socketFolder: (environment: Environment) => string;
}
