/** What can be done with terminals by the words of S2. */
export const TERMINATOR_ACTIONS = ['execute', 'read', 'list', 'info', 'focus', 'kill'] as const;
export const TERMINAL_ACTIONS = [
  ...TERMINATOR_ACTIONS,
  'send',
  'screen',
  'resize',
  'output',
  'attach',
  'close',
] as const;
export type TerminalAction = (typeof TERMINAL_ACTIONS)[number];

/** Whose words are spoken: those of the tool `terminator.execute`, or those of our own `terminal`. */
export type TerminalDialect = 'terminator' | 'terminal';
