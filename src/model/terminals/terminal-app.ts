/** Terminal applications that can show a session; `auto` is the first that is installed. */
export const TERMINAL_APP_CHOICES = [
  'auto',
  'xterm',
  'konsole',
  'gnome-terminal',
  'kitty',
  'ghostty',
  'tmux',
  'alacritty',
  'foot',
  'wezterm',
] as const;
export type TerminalAppChoice = (typeof TERMINAL_APP_CHOICES)[number];

/** How windows are shared: not, by the sessions of one project, or by all if the project has no window. */
export const WINDOW_GROUPINGS = ['off', 'project', 'smart'] as const;
export type WindowGrouping = (typeof WINDOW_GROUPINGS)[number];

/** Who is notified of the end of a background command, in addition to the next answer: nobody, MCP clients, or the user on the desktop. */
export const TERMINAL_NOTIFY = ['none', 'mcp', 'desktop'] as const;
export type TerminalNotify = (typeof TERMINAL_NOTIFY)[number];

export const TERMINAL_LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'none'] as const;
export type TerminalLogLevel = (typeof TERMINAL_LOG_LEVELS)[number];
