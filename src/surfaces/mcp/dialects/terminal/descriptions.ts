import { TERMINAL_ACTIONS } from '../../../../model/terminals/terminal-action.ts';
import type { TerminalFacts, TerminalSettings } from '../../../../model/terminals/terminal-settings.ts';
import { TERMINATOR_ACTIONS, type TerminalDialect } from './dialects.ts';

/** The JSON Schema of each parameter. */
type Parameters = Record<
  string,
  {
    type: 'string' | 'boolean' | 'integer';
    description: string;
    default?: string | boolean | number;
    enum?: string[];
  }
>;

/** A tool for terminals as a client sees it. */
export interface ToolDescription {
  readonly description: string;
  readonly parameters: Parameters;
  readonly required?: string[];
}

/** With the current defaults. @param own the description of the command */
export function describeTool(dialect: TerminalDialect, own: string, facts: TerminalFacts): ToolDescription {
  const { settings, app, version } = facts;
  if (dialect === 'terminator')
    return {
      description: terminatorDescription(facts),
      parameters: terminatorParameters(settings),
      required: ['project_path'],
    };
  const shown = app === undefined ? '' : ` ${app} shows it to the user (attach).`;
  return {
    description: `${own}${shown} Deskterity ${version}.`,
    parameters: terminalParameters(settings),
  };
}

const text = (description: string) => ({ type: 'string', description }) as const;
const toggle = (description: string, usual = false) =>
  ({ type: 'boolean', description, ...(usual ? { default: true } : {}) }) as const;
const integer = (description: string) => ({ type: 'integer', description }) as const;

/** The parameters of the tool `terminal`, with the current defaults. */
function terminalParameters(defaults: TerminalSettings): Parameters {
  const { backgroundStartupSeconds: startup, foregroundCompletionSeconds: completion } = defaults;
  return {
    action: {
      type: 'string',
      enum: [...TERMINAL_ACTIONS],
      default: 'execute',
      description:
        'execute: run command. read: get the last lines. send: type text, press keys. screen: get the screen of a full-screen program. output: get all output, in parts. kill: end the running command; the terminal remains. close: end the terminal. list, info: cover all projects. attach: show it to the user. focus: bring it to the front.',
    },
    project_path: text('Absolute path of the project. Default: the current folder.'),
    tag: text('Name of the terminal in its project, such as server. Default: the folder’s name.'),
    command: text('Shell command; empty to prepare the terminal.'),
    background: toggle('Return the first output and leave it running.', defaults.background),
    lines: { ...integer('Maximum number of output lines, from the end.'), default: defaults.lines },
    timeout: integer(
      `Seconds to wait for the end (default ${completion}) or, with background, for the first output (${startup}). Longer commands keep running.`,
    ),
    interrupt: toggle('First end the running command (INT, TERM, KILL).'),
    clear: toggle('Clear the screen first.'),
    confined: toggle('Restrict a new terminal to the project: no network, no other files.'),
    focus: toggle('Bring its window to the front, if one shows it.', defaults.focus ?? false),
    text: text('For send: text to type; a line feed is Enter.'),
    keys: text('For send: keys to press after the text, such as "Enter", "ctrl+c" or "Down Down Enter".'),
    columns: integer('Width, for resize or a new terminal. Default 120.'),
    rows: integer('Height. Default 40.'),
    head: integer('For read and output: lines from the beginning, or from the cursor.'),
    cursor: integer('For output: first byte to read; next_cursor of an earlier answer.'),
    pattern: text('For output: lines that match this regular expression.'),
    ignore_case: toggle('For output: ignore case.'),
    raw: toggle('For output: the bytes as base64, unescaped.'),
    max_tokens: integer('For output: maximum size. Default 4000.'),
  };
}

/** Terminator's own description, without statements that are untrue here: the screen is not cleared unless requested. */
function terminatorDescription({ app, version, system }: TerminalFacts): string {
  const using = app === undefined ? 'no terminal application' : app;
  return `Manages ${system} terminal sessions${app === undefined ? '' : ` using the \`${app}\` application`}. Ideal for running commands, especially those that might be long-running or could hang, as it isolates them to protect your workflow. Use this to execute shell commands, retrieve output, and manage terminal processes. If 'action' is not specified, it defaults to 'execute'. \nTerminator MCP ${version} using ${using}`;
}

/** The parameters of `terminator.execute`, in Terminator's order, with the current defaults. Settings change only defaults and texts. */
function terminatorParameters(settings: TerminalSettings): Parameters {
  const { backgroundStartupSeconds: startup, foregroundCompletionSeconds: completion } = settings;
  return {
    action: {
      type: 'string',
      enum: [...TERMINATOR_ACTIONS],
      default: 'execute',
      description: `Optional. The operation to perform: 'execute', 'read', 'list', 'info', 'focus', or 'kill'. Defaults to 'execute'.`,
    },
    project_path: text('Mandatory. Absolute path to the project directory.'),
    tag: text(
      'Optional. A unique identifier for the session (e.g., "ui-build", "api-server"). If omitted, a tag will be derived from the project_path.',
    ),
    command: text(
      `Optional, primarily for action 'execute'. The shell command to execute. If empty or omitted, the session will be prepared (focused if applicable), but no new command is run.`,
    ),
    background: {
      type: 'boolean',
      default: settings.background,
      description: `Optional, for action 'execute'. If true, the command is treated as long-running: the call waits up to ${startup} seconds (see timeout) for initial output, then returns, leaving the command running. If false, the command is expected to complete: the call waits up to ${completion} seconds (see timeout) for it to finish.`,
    },
    lines: {
      ...integer(
        `Optional, for actions 'execute' and 'read'. Maximum number of recent output lines (stdout and stderr combined for 'execute', scrollback for 'read') to return.`,
      ),
      default: settings.lines,
    },
    timeout: integer(
      `Optional, for action 'execute', in seconds. Overrides the default for this call: the startup period (${startup}) if background is true, else the completion period (${completion}).`,
    ),
    focus: {
      type: 'boolean',
      default: settings.focus ?? true,
      description: `Optional, for actions 'execute', 'read', 'kill' and 'focus'. If true, the terminal application is brought to the foreground with the session's tab or window.`,
    },
  };
}
