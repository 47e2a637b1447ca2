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

/** What terminals do where a call does not say. */
export const TerminalConfiguration = z.strictObject({
  app: z
    .enum(TERMINAL_APP_CHOICES)
    .default('auto')
    .describe('Application that shows a terminal; auto takes the first that is there.'),
  log_level: z
    .enum(TERMINAL_LOG_LEVELS)
    .default('info')
    .describe('Least severe entry about terminals that is kept; at debug commands are in it.'),
  log_dir: z
    .string()
    .default('')
    .describe(
      'Folder for the log of terminals; empty for that of all logs, SYSTEM_TEMP for one with the temporary files.',
    ),
  window_grouping: z
    .enum(WINDOW_GROUPINGS)
    .default('smart')
    .describe('Which terminals share a window: none, those of a project, or all where the project has none.'),
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
    .describe('How long a background command is watched for its first output.'),
  foreground_completion_seconds: z
    .int()
    .min(1)
    .max(LONGEST_TERMINAL_WAIT_SECONDS)
    .default(60)
    .describe('How long a foreground command may take.'),
  default_focus_on_action: z
    .boolean()
    .default(false)
    .describe('Bring the terminal to the front; terminator.execute does so unless this is set to false.'),
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
    .describe('Leave commands running and answer with their first output.'),
  notify: z
    .enum(TERMINAL_NOTIFY)
    .default('none')
    .describe(
      'Who is told at once when a background command ends: none, MCP clients by a log message, or the user by a notice on the desktop.',
    ),
});

/** Other spellings of values that variables may have. */
export const TERMINAL_SPELLINGS: Readonly<Record<string, ReadonlyMap<string, string>>> = {
  app: new Map([['ghosty', 'ghostty']]),
};
