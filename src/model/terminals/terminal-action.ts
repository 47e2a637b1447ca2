/** What can be done with terminals. */
export const TERMINAL_ACTIONS = [
  'execute',
  'read',
  'list',
  'info',
  'focus',
  'kill',
  'send',
  'screen',
  'resize',
  'output',
  'attach',
  'close',
] as const;
export type TerminalAction = (typeof TERMINAL_ACTIONS)[number];
