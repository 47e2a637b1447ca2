import { KITTY_TABS } from './kitty-tabs.ts';
import type { TerminalApplication } from '../../../ports/terminals/terminal-applications.ts';
import { TMUX_TABS, tmuxName, tmuxArguments } from './tmux-tabs.ts';
import { WEZTERM_TABS } from './wezterm-tabs.ts';

export interface LinuxApplication extends TerminalApplication {
  /** Where it can open a window; `terminal` if it runs in another terminal. */
  readonly shows: 'x11' | 'wayland' | 'x11-or-wayland' | 'terminal';
  /** A variable that it sets for programs running in it. */
  readonly ownVariable?: string;
}

const APPLICATIONS: readonly Omit<LinuxApplication, 'program' | 'isInTerminal'>[] = [
  {
    // kitty(1) 0.26.5. No --title: it would permanently be the title of all tabs.
    name: 'kitty',
    title: 'kitty',
    shows: 'x11-or-wayland',
    ownVariable: 'KITTY_WINDOW_ID',
    openWindow: ({ command }) => ['kitty', ...command],
    tabs: KITTY_TABS,
  },
  {
    // wezterm.org: cli/start, cli/cli. Its window takes its title from the program in it.
    name: 'wezterm',
    title: 'WezTerm',
    shows: 'x11-or-wayland',
    ownVariable: 'WEZTERM_PANE',
    openWindow: ({ command }) => ['wezterm', 'start', '--always-new-process', '--', ...command],
    tabs: WEZTERM_TABS,
  },
  {
    // ghostty(5): title, gtk-single-instance; ghostty.org/docs/help/gtk-single-instance for -e. It opens tabs only by key bindings.
    name: 'ghostty',
    title: 'Ghostty',
    shows: 'x11-or-wayland',
    openWindow: ({ command, title }) => [
      'ghostty',
      '--gtk-single-instance=false',
      `--title=${title}`,
      '-e',
      ...command,
    ],
  },
  {
    // Konsole's handbook (-e, -p) and Application.cpp: -T is accepted but ignored, --new-tab uses the last window and activates it.
    // LocalTabTitleFormat has %w for the title that the program sets; the title itself could contain such tokens.
    name: 'konsole',
    title: 'Konsole',
    shows: 'x11-or-wayland',
    openWindow: ({ command }) => ['konsole', '--separate', '-p', 'LocalTabTitleFormat=%w', '-e', ...command],
  },
  {
    // gnome-terminal(1) 3.46: --tab uses the last opened window, whoever opened it. The variable is set by gnome-terminal-server 3.46.8.
    name: 'gnome-terminal',
    title: 'GNOME Terminal',
    shows: 'x11-or-wayland',
    ownVariable: 'GNOME_TERMINAL_SCREEN',
    openWindow: ({ command, title }) => ['gnome-terminal', '--window', `--title=${title}`, '--', ...command],
  },
  {
    // foot(1) 1.13.1.
    name: 'foot',
    title: 'foot',
    shows: 'wayland',
    openWindow: ({ command, title }) => ['foot', `--title=${title}`, ...command],
  },
  {
    // alacritty(1) 0.11.0, tested: a title from the command line is permanent. The variable is documented in alacritty-msg(1).
    name: 'alacritty',
    title: 'Alacritty',
    shows: 'x11-or-wayland',
    ownVariable: 'ALACRITTY_WINDOW_ID',
    openWindow: ({ command, title }) => ['alacritty', '--title', title, '-e', ...command],
  },
  {
    // xterm(1) patch 379, tested. -n: otherwise the icon name would be the program's.
    name: 'xterm',
    title: 'xterm',
    shows: 'x11',
    ownVariable: 'XTERM_VERSION',
    openWindow: ({ command, title }) => ['xterm', '-title', title, '-n', title, '-e', ...command],
  },
  {
    // tmux(1) 3.3a, tested.
    name: 'tmux',
    title: 'tmux',
    shows: 'terminal',
    ownVariable: 'TMUX',
    openWindow: ({ command, title }) => [
      'tmux',
      'new-window',
      '-d',
      '-n',
      tmuxName(title),
      '--',
      ...tmuxArguments(command),
    ],
    tabs: TMUX_TABS,
  },
];

/**
 * Applications that can show a terminal, best first: those with tabs, then other desktop terminals, then those that are available almost
 * everywhere. Every entry is based on a manual, on source code or on a test.
 */
export const TERMINAL_APPLICATIONS: readonly LinuxApplication[] = APPLICATIONS.map((one) => ({
  ...one,
  program: one.name,
  isInTerminal: one.shows === 'terminal',
}));
