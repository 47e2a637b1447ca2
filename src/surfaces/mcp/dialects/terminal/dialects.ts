/** The tool to imitate: Terminator's `terminator.execute`, or our own `terminal`. */
export type TerminalDialect = 'terminator' | 'terminal';

/** Names of the tools. */
export const TOOL_NAMES: Readonly<Record<TerminalDialect, string>> = {
  terminator: 'terminator.execute',
  terminal: 'terminal',
};

/** The actions that Terminator has. */
export const TERMINATOR_ACTIONS = ['execute', 'read', 'list', 'info', 'focus', 'kill'] as const;
