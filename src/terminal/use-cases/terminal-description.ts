import { TERMINATOR_ACTIONS } from '../../model/terminals/terminal-action.ts';
import type { ParameterDescription } from '../../model/terminals/terminal-tool.ts';
import type { TerminalSettings } from './terminal-settings.ts';

export interface DescriptionFacts {
  readonly settings: TerminalSettings;
  /** As the user knows it: `Konsole`; `undefined` where none is there. */
  readonly app: string | undefined;
  readonly version: string;
  /** Such as `Linux`. */
  readonly system: string;
}

/** What the tool `terminator.execute` says of itself. Of S2's words those are left out that would be untrue: a screen is not cleared unasked. */
export function terminatorDescription({ app, version, system }: DescriptionFacts): string {
  const using = app === undefined ? 'no terminal application' : app;
  return `Manages ${system} terminal sessions${app === undefined ? '' : ` using the \`${app}\` application`}. Ideal for running commands, especially those that might be long-running or could hang, as it isolates them to protect your workflow. Use this to execute shell commands, retrieve output, and manage terminal processes. If 'action' is not specified, it defaults to 'execute'. \nTerminator MCP ${version} using ${using}`;
}

/** The parameters of `terminator.execute`, in S2's order, with the defaults that count now. Settings change defaults and words alone, never what there is. */
export function terminatorParameters(
  settings: TerminalSettings,
): Readonly<Record<string, ParameterDescription>> {
  const { backgroundStartupSeconds: startup, foregroundCompletionSeconds: completion } = settings;
  return {
    action: {
      type: 'string',
      enum: TERMINATOR_ACTIONS,
      default: 'execute',
      description: `Optional. The operation to perform: 'execute', 'read', 'list', 'info', 'focus', or 'kill'. Defaults to 'execute'.`,
    },
    project_path: {
      type: 'string',
      isRequired: true,
      description: 'Mandatory. Absolute path to the project directory.',
    },
    tag: {
      type: 'string',
      description:
        'Optional. A unique identifier for the session (e.g., "ui-build", "api-server"). If omitted, a tag will be derived from the project_path.',
    },
    command: {
      type: 'string',
      description: `Optional, primarily for action 'execute'. The shell command to execute. If empty or omitted, the session will be prepared (focused if applicable), but no new command is run.`,
    },
    background: {
      type: 'boolean',
      default: settings.background,
      description: `Optional, for action 'execute'. If true, the command is treated as long-running: the call waits up to ${startup} seconds (see timeout) for initial output, then returns, leaving the command running. If false, the command is expected to complete: the call waits up to ${completion} seconds (see timeout) for it to finish.`,
    },
    lines: {
      type: 'integer',
      default: settings.lines,
      description: `Optional, for actions 'execute' and 'read'. Maximum number of recent output lines (stdout and stderr combined for 'execute', scrollback for 'read') to return.`,
    },
    timeout: {
      type: 'integer',
      description: `Optional, for action 'execute', in seconds. Overrides the default for this call: the startup period (${startup}) if background is true, else the completion period (${completion}).`,
    },
    focus: {
      type: 'boolean',
      default: settings.focus ?? true,
      description: `Optional, for actions 'execute', 'read', 'kill' and 'focus'. If true, the terminal application is brought to the foreground with the session's tab or window.`,
    },
  };
}
