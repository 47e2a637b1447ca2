import type { Environment } from '../../model/sessions/caller.ts';
import type { TerminalAppChoice } from '../../model/terminals/terminal-app.ts';

/** A program with its arguments. */
export type Argv = readonly [string, ...string[]];

export interface OpenRequest {
  /** The command to run: `desk terminal attach …`, which also sets the title (OSC 2). */
  readonly command: Argv;
  /** Used to find the window again; without line breaks and control characters. */
  readonly title: string;
}

/** How a running application is controlled. */
export interface ControlPlace {
  /** Path of a socket in a private folder of the user, for applications that listen on one. */
  readonly socket: string;
  /** Name for our windows in an application: letters, digits, `-` and `.`. */
  readonly group: string;
}

/** A tab, with the ids of its application. */
export interface ShownTab {
  readonly windowId: string;
  /** For opening another tab in the same window. */
  readonly tabId: string;
  /** For {@link TabControl.focus}. */
  readonly paneId: string;
  readonly title: string;
}

/** Commands for applications that can be controlled while they run. Opening prints the id of the new pane, except for the first window. */
export interface TabControl {
  /** Opens the first window, starting the application if necessary. */
  openFirst(request: OpenRequest, place: ControlPlace): Argv;
  /** Opens another window of a running application. */
  openWindow(request: OpenRequest, place: ControlPlace): Argv;
  /** Opens a tab beside another. */
  openTab(request: OpenRequest, place: ControlPlace, beside: ShownTab): Argv;
  list(place: ControlPlace): Argv;
  /** Parses the output of {@link list}; invalid parts are ignored. */
  parseList(printed: string): readonly ShownTab[];
  /** Brings a tab to the front of its window. */
  focus(place: ControlPlace, paneId: string): Argv;
}

export interface TerminalApplication {
  readonly name: Exclude<TerminalAppChoice, 'auto'>;
  /** Its name for users. */
  readonly title: string;
  readonly program: string;
  /** It runs inside another terminal. */
  readonly isInTerminal: boolean;
  /** Opens a new window. Whether it comes to the front is up to the window manager: no application has an option for that. */
  openWindow(request: OpenRequest): Argv;
  /** Absent if tabs cannot be opened in a given window; such windows are raised by title or process. */
  readonly tabs?: TabControl;
}

/** Where a program is shown, as far as known from its application. */
export interface WindowPlace {
  /** The application's own names, for people and scripts. */
  readonly identifiers: { readonly window: string | null; readonly tab: string | null };
  /** The id of the desktop's window, if known. */
  readonly windowId?: string | undefined;
  /** Brings its tab to the front of the window. */
  readonly focusTab?: Argv | undefined;
  /** What shows the application itself, if it runs inside another terminal. */
  readonly viewers?: { readonly list: Argv; parseList(printed: string): readonly Viewer[] } | undefined;
}

/** A process that shows the content of a terminal. */
export interface Viewer {
  readonly pid: number;
  /** Variables of its environment that tell where it is shown. */
  readonly variables: readonly string[];
}

/** Applications of this machine that show terminals to its user. */
export interface TerminalApplicationsPort {
  /**
   * The requested application; with `auto` the one the caller runs in, else the first installed one.
   * @param isThere whether a program is in the caller's PATH
   * @returns `undefined` if `auto` finds none
   * @throws DeskterityError ACTION_NOT_SUPPORTED if the requested one is not available
   */
  choose(
    choice: TerminalAppChoice,
    facts: { readonly environment: Environment; readonly isThere: (program: string) => boolean },
  ): TerminalApplication | undefined;
  /** Where a program with this environment is shown; the innermost place counts. `undefined` if unknown, as over ssh. */
  placeOf(environment: Environment): WindowPlace | undefined;
  /** Where applications of this user are controlled. @param folder a private folder of this user */
  controlPlace(environment: Environment, folder: string): ControlPlace;
  /** The variables that lead to a display. */
  displayOf(environment: Environment): Environment;
  /** Whether the windows of this display can be listed. */
  listsWindows(environment: Environment): boolean;
  /** Why it is unknown which window has the focus, as part of a sentence; `undefined` if it is known. */
  whyFocusIsUnknown(environment: Environment): string | undefined;
}
