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
  /** Whether a tab opens behind the one that is in front; else that is up to the application. */
  readonly opensBehind: boolean;
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
  /** What it can show itself on; `terminal` for one that runs in another. */
  readonly shows: 'x11' | 'wayland' | 'x11-or-wayland' | 'terminal';
  /** A variable that it gives to what runs in it. */
  readonly sign: string | undefined;
  /** Whether the program stays for as long as its window, so that the window can be found by its process. */
  readonly stays: boolean;
  /** Who gives the window its title: the argument for good, the argument until the program in it says another, or that program alone. */
  readonly titleBy: 'argument' | 'argument-first' | 'program';
  /** A window of its own. Whether it comes to the front is up to the window manager: none of them has an option for that. */
  openWindow(request: OpenRequest): Argv;
  /** Absent where tabs cannot be opened in a window that is chosen; such a window is raised by its title or process. */
  readonly tabs?: TabControl;
}
