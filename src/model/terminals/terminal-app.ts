/** Terminal applications that can show a session; `auto` is the first of them that is there. */
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

/** How windows are shared: none, by the sessions of one project, or by all where the project has none. */
export const WINDOW_GROUPINGS = ['off', 'project', 'smart'] as const;
export type WindowGrouping = (typeof WINDOW_GROUPINGS)[number];

/** Whom the end of a command in the background is told beside the next answer: nobody, MCP clients, or the user on the desktop. */
export const TERMINAL_NOTIFY = ['none', 'mcp', 'desktop'] as const;
export type TerminalNotify = (typeof TERMINAL_NOTIFY)[number];

export const TERMINAL_LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'none'] as const;
export type TerminalLogLevel = (typeof TERMINAL_LOG_LEVELS)[number];
