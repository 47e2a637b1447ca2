/** Whose words are spoken: those of the tool `terminator.execute`, or those of our own `terminal`. */
export type TerminalDialect = 'terminator' | 'terminal';

/** What each tool is called. */
export const TOOL_NAMES: Readonly<Record<TerminalDialect, string>> = {
  terminator: 'terminator.execute',
  terminal: 'terminal',
};

/** What can be done by the words of S2. */
export const TERMINATOR_ACTIONS = ['execute', 'read', 'list', 'info', 'focus', 'kill'] as const;
