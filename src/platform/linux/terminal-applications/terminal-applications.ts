import { KITTY_TABS } from './kitty-tabs.ts';
import type { TerminalApplication } from '../../../ports/terminals/terminal-applications.ts';
import { TMUX_TABS, tmuxName, tmuxWords } from './tmux-tabs.ts';
import { WEZTERM_TABS } from './wezterm-tabs.ts';

export interface LinuxApplication extends TerminalApplication {
  /** What it can show itself on; `terminal` for one that runs in another. */
  readonly shows: 'x11' | 'wayland' | 'x11-or-wayland' | 'terminal';
  /** A variable that it gives to what runs in it. */
  readonly sign: string | undefined;
}

/**
 * What can show a terminal, best first: those with tabs, then the others with a window system of their own, then what is nearly everywhere. Only
 * what a manual or a source says, or what was tried, stands here.
 */
export const TERMINAL_APPLICATIONS: readonly LinuxApplication[] = [
  {
    // kitty(1) 0.26.5. No --title: it would be that of all tabs, for good.
    name: 'kitty',
    title: 'kitty',
    program: 'kitty',
    isInTerminal: false,
    shows: 'x11-or-wayland',
    sign: 'KITTY_WINDOW_ID',
    openWindow: ({ command }) => ['kitty', ...command],
    tabs: KITTY_TABS,
  },
  {
    // wezterm.org: cli/start, cli/cli. Its window has the title of the program in it.
    name: 'wezterm',
    title: 'WezTerm',
    program: 'wezterm',
    isInTerminal: false,
    shows: 'x11-or-wayland',
    sign: 'WEZTERM_PANE',
    openWindow: ({ command }) => ['wezterm', 'start', '--always-new-process', '--', ...command],
    tabs: WEZTERM_TABS,
  },
  {
    // ghostty(5): title, gtk-single-instance; ghostty.org/docs/help/gtk-single-instance for -e. It opens tabs by keys alone.
    name: 'ghostty',
    title: 'Ghostty',
    program: 'ghostty',
    isInTerminal: false,
    shows: 'x11-or-wayland',
    sign: undefined,
    openWindow: ({ command, title }) => [
      'ghostty',
      '--gtk-single-instance=false',
      `--title=${title}`,
      '-e',
      ...command,
    ],
  },
  {
    // Konsole's handbook (-e, -p) and Application.cpp: -T is taken and not used, --new-tab takes the last window and activates it. LocalTabTitleFormat
    // has %w for the title that the program sets; a title itself may hold such tokens.
    name: 'konsole',
    title: 'Konsole',
    program: 'konsole',
    isInTerminal: false,
    shows: 'x11-or-wayland',
    sign: undefined,
    openWindow: ({ command }) => ['konsole', '--separate', '-p', 'LocalTabTitleFormat=%w', '-e', ...command],
  },
  {
    // gnome-terminal(1) 3.46: --tab takes the window that was opened last, whosever it is. The variable is in gnome-terminal-server 3.46.8.
    name: 'gnome-terminal',
    title: 'GNOME Terminal',
    program: 'gnome-terminal',
    isInTerminal: false,
    shows: 'x11-or-wayland',
    sign: 'GNOME_TERMINAL_SCREEN',
    openWindow: ({ command, title }) => ['gnome-terminal', '--window', `--title=${title}`, '--', ...command],
  },
  {
    // foot(1) 1.13.1.
    name: 'foot',
    title: 'foot',
    program: 'foot',
    isInTerminal: false,
    shows: 'wayland',
    sign: undefined,
    openWindow: ({ command, title }) => ['foot', `--title=${title}`, ...command],
  },
  {
    // alacritty(1) 0.11.0, and tried with it: a title by argument stays. The variable is that of alacritty-msg(1).
    name: 'alacritty',
    title: 'Alacritty',
    program: 'alacritty',
    isInTerminal: false,
    shows: 'x11-or-wayland',
    sign: 'ALACRITTY_WINDOW_ID',
    openWindow: ({ command, title }) => ['alacritty', '--title', title, '-e', ...command],
  },
  {
    // xterm(1) patch 379, and tried with it. -n: the name of its icon would be that of the program.
    name: 'xterm',
    title: 'xterm',
    program: 'xterm',
    isInTerminal: false,
    shows: 'x11',
    sign: 'XTERM_VERSION',
    openWindow: ({ command, title }) => ['xterm', '-title', title, '-n', title, '-e', ...command],
  },
  {
    // tmux(1) 3.3a, and tried with it.
    name: 'tmux',
    title: 'tmux',
    program: 'tmux',
    isInTerminal: true,
    shows: 'terminal',
    sign: 'TMUX',
    openWindow: ({ command, title }) => [
      'tmux',
      'new-window',
      '-d',
      '-n',
      tmuxName(title),
      '--',
      ...tmuxWords(command),
    ],
    tabs: TMUX_TABS,
  },
];
