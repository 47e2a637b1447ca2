import type { Environment } from '../../model/sessions/caller.ts';
import type { TerminalAppChoice } from '../../model/terminals/terminal-app.ts';

/** A program with its arguments. */
export type Argv = readonly [string, ...string[]];

export interface OpenRequest {
  /** What runs in it: `desk terminal attach …`, which sets the title too (OSC 2). */
  readonly command: Argv;
  /** By which the window is found again; without line breaks and control characters. */
  readonly title: string;
}

/** By what an application is told things while it runs. */
export interface ControlPlace {
  /** Path of a socket in a folder of the user alone, for those that listen at one. */
  readonly socket: string;
  /** Names what is ours in an application: letters, digits, `-` and `.`. */
  readonly group: string;
}

/** A tab, as the application that shows it knows it. */
export interface ShownTab {
  readonly windowId: string;
  /** What a further tab of the same window is opened beside. */
  readonly tabId: string;
  /** What {@link TabControl.focus} takes. */
  readonly paneId: string;
  readonly title: string;
}

/** What applications can do that are told things while they run. Opening prints the pane id of what was opened, but for the first window. */
export interface TabControl {
  /** The first window, with the application that shows it where that does not run. */
  openFirst(request: OpenRequest, place: ControlPlace): Argv;
  /** One more window of an application that runs. */
  openWindow(request: OpenRequest, place: ControlPlace): Argv;
  /** A tab beside another. */
  openTab(request: OpenRequest, place: ControlPlace, beside: ShownTab): Argv;
  list(place: ControlPlace): Argv;
  /** Of what {@link list} prints; what is not understood is left out. */
  parseList(printed: string): readonly ShownTab[];
  /** Brings a tab to the front of its window. */
  focus(place: ControlPlace, paneId: string): Argv;
}

export interface TerminalApplication {
  readonly name: Exclude<TerminalAppChoice, 'auto'>;
  /** As its users know it. */
  readonly title: string;
  readonly program: string;
  /** It runs in the window of another. */
  readonly isInTerminal: boolean;
  /** A window of its own. Whether it comes to the front is up to the window manager: none of them has an option for that. */
  openWindow(request: OpenRequest): Argv;
  /** Absent where tabs cannot be opened in a window that is chosen; such a window is raised by its title or process. */
  readonly tabs?: TabControl;
}

/** Where a program is shown, as far as the application that shows it has told. */
export interface WindowPlace {
  /** Names of the application's own, for people and scripts. */
  readonly identifiers: { readonly window: string | null; readonly tab: string | null };
  /** The id of the desktop's window, where it is known. */
  readonly windowId?: string | undefined;
  /** Brings its tab to the front of the window. */
  readonly focusTab?: Argv | undefined;
  /** What shows the application itself, where that runs in the window of another. */
  readonly viewers?: { readonly list: Argv; parseList(printed: string): readonly Viewer[] } | undefined;
}

/** A process that shows what runs in it to somebody. */
export interface Viewer {
  readonly pid: number;
  /** Variables of its start that say where it is shown. */
  readonly variables: readonly string[];
}

/** Applications of this machine that show terminals to its user. */
export interface TerminalApplicationsPort {
  /**
   * The application that was asked for; else the one the caller sits in, else the first that is there.
   * @param isThere whether a program is in the caller's PATH
   * @returns `undefined` where `auto` finds none
   * @throws DeskterityError ACTION_NOT_SUPPORTED for one that was asked for and cannot be had
   */
  choose(
    choice: TerminalAppChoice,
    facts: { readonly environment: Environment; readonly isThere: (program: string) => boolean },
  ): TerminalApplication | undefined;
  /** Where whatever has this environment is shown; the innermost counts. `undefined` where nothing is told, as over ssh. */
  placeOf(environment: Environment): WindowPlace | undefined;
  /** Where applications of this user are told things. @param folder one of this user alone */
  controlPlace(environment: Environment, folder: string): ControlPlace;
  /** Those variables that lead to a display. */
  displayOf(environment: Environment): Environment;
  /** Whether the windows of this display can be listed. */
  listsWindows(environment: Environment): boolean;
  /** Why it cannot be seen which window has the focus, as part of a sentence; `undefined` where it can. */
  whyFocusIsUnknown(environment: Environment): string | undefined;
}
