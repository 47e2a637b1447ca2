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

/** Defaults of terminals for calls that do not say otherwise. */
export const TerminalConfiguration = z.strictObject({
  app: z
    .enum(TERMINAL_APP_CHOICES)
    .default('auto')
    .describe('Application that shows a terminal; auto uses the first that is installed.'),
  log_level: z
    .enum(TERMINAL_LOG_LEVELS)
    .default('info')
    .describe('Least severe entry about terminals that is logged; debug includes commands.'),
  log_dir: z
    .string()
    .default('')
    .describe(
      'Folder for the log of terminals; empty for the folder of all logs, SYSTEM_TEMP for one among the temporary files.',
    ),
  window_grouping: z
    .enum(WINDOW_GROUPINGS)
    .default('smart')
    .describe(
      'Which terminals share a window: none, those of a project, or all if the project has no window.',
    ),
  default_lines: z
    .int()
    .min(0)
    .max(MOST_TERMINAL_LINES)
    .default(100)
    .describe('Most lines of output in an answer.'),
  background_startup_seconds: z
    .int()
    .min(1)
    .max(LONGEST_TERMINAL_WAIT_SECONDS)
    .default(5)
    .describe('How long to wait for the first output of a background command.'),
  foreground_completion_seconds: z
    .int()
    .min(1)
    .max(LONGEST_TERMINAL_WAIT_SECONDS)
    .default(60)
    .describe('How long a foreground command may take.'),
  default_focus_on_action: z
    .boolean()
    .default(false)
    .describe('Bring the terminal to the front; terminator.execute does this unless it is set to false.'),
  sigint_wait_seconds: z
    .int()
    .min(0)
    .max(LONGEST_SIGNAL_WAIT_SECONDS)
    .default(2)
    .describe('Time between SIGINT and SIGTERM when a command is ended.'),
  sigterm_wait_seconds: z
    .int()
    .min(0)
    .max(LONGEST_SIGNAL_WAIT_SECONDS)
    .default(2)
    .describe('Time between SIGTERM and SIGKILL when a command is ended.'),
  default_background_execution: z
    .boolean()
    .default(false)
    .describe('Run commands in the background and answer with their first output.'),
  notify: z
    .enum(TERMINAL_NOTIFY)
    .default('none')
    .describe(
      'Who is notified at once when a background command ends: none, mcp (clients, by a log message) or desktop (the user, by a notification).',
    ),
});

/** Alternative spellings of values in variables. */
export const TERMINAL_SPELLINGS: Readonly<Record<string, ReadonlyMap<string, string>>> = {
  app: new Map([['ghosty', 'ghostty']]),
};
