import { z } from 'zod';
import {
  TERMINAL_APP_CHOICES,
  TERMINAL_LOG_LEVELS,
  TERMINAL_NOTIFY,
  WINDOW_GROUPINGS,
} from '../terminals/terminal-app.ts';
import {
  LONGEST_SIGNAL_WAIT_SECONDS,
  LONGEST_TERMINAL_WAIT_SECONDS,
  MOST_TERMINAL_LINES,
} from '../terminals/terminal-bounds.ts';
import { choice, flag, text, whole } from './setting.ts';

/** Defaults of terminals for calls that do not say otherwise. */
export const TerminalConfiguration = z.strictObject({
  app: choice(
    TERMINAL_APP_CHOICES,
    'auto',
    'Application that shows a terminal; auto uses the first that is installed.',
  ),
  log_level: choice(
    TERMINAL_LOG_LEVELS,
    'info',
    'Least severe entry of the terminal log; debug includes commands.',
  ),
  log_dir: text(
    'Folder of the terminal log; empty for that of all logs, SYSTEM_TEMP for one in the temporary folder.',
  ),
  window_grouping: choice(
    WINDOW_GROUPINGS,
    'smart',
    'Whether terminals share a window: off never, project within a project, smart also with others if the project has none.',
  ),
  default_lines: whole([0, MOST_TERMINAL_LINES], 100, 'Maximum number of output lines in an answer.'),
  background_startup_seconds: whole(
    [1, LONGEST_TERMINAL_WAIT_SECONDS],
    5,
    'How long to wait for the first output of a background command.',
  ),
  foreground_completion_seconds: whole(
    [1, LONGEST_TERMINAL_WAIT_SECONDS],
    60,
    'How long a foreground command may take.',
  ),
  default_focus_on_action: flag('Bring the terminal to the front; if unset, only terminator.execute does.'),
  sigint_wait_seconds: whole(
    [0, LONGEST_SIGNAL_WAIT_SECONDS],
    2,
    'Time between SIGINT and SIGTERM when a command is ended.',
  ),
  sigterm_wait_seconds: whole(
    [0, LONGEST_SIGNAL_WAIT_SECONDS],
    2,
    'Time between SIGTERM and SIGKILL when a command is ended.',
  ),
  default_background_execution: flag('Run commands in the background and answer with their first output.'),
  notify: choice(
    TERMINAL_NOTIFY,
    'none',
    'Who is notified at once when a background command ends: none, mcp (clients, by a log message) or desktop (the user, by a notification).',
  ),
});

/** Alternative spellings of values in variables. */
export const TERMINAL_SPELLINGS: Readonly<Record<string, ReadonlyMap<string, string>>> = {
  app: new Map([['ghosty', 'ghostty']]),
};
