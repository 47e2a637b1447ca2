import { z } from 'zod';
import { TERMINAL_ACTIONS } from './terminal-action.ts';
import { WAIT_STATES } from './terminal-state.ts';

/** A session in the data of a list. */
export const SessionEntry = z.object({
  ref: z
    .string()
    .optional()
    .describe(
      'Reference (@t1) of the terminal, by which snapshot, find, click, type and the like work on its screen.',
    ),
  session_identifier: z.string(),
  project_path: z.string().nullable(),
  tag: z.string(),
  full_tab_title: z.string(),
  tty: z.string().describe('Such as /dev/pts/3.'),
  is_busy: z.boolean(),
  state: z.enum(WAIT_STATES),
  running: z.string().optional().describe('What runs in the foreground.'),
  is_confined: z.boolean(),
  attached: z.int().describe('Terminals that show it now.'),
  window_identifier: z.string().nullable().describe('Of the application that shows it, where one does.'),
  tab_identifier: z.string().nullable(),
});
export type SessionEntry = z.output<typeof SessionEntry>;

/** What is on a screen beside its text. Rows and columns count from 1. */
export const ScreenFacts = z.object({
  columns: z.int(),
  rows: z.int(),
  title: z.string(),
  is_alternate: z.boolean().describe('A full-screen program draws.'),
  cursor: z.object({ row: z.int(), column: z.int(), is_visible: z.boolean() }),
  highlighted: z
    .array(z.object({ row: z.int(), text: z.string() }))
    .describe('What stands out by colour or inverse, such as the selected line of a menu.'),
});
export type ScreenFacts = z.output<typeof ScreenFacts>;

/** What a caller of terminals gets: a sentence, and the same as data. */
export const TerminalAnswer = z.object({
  success: z.boolean().describe('false where the command has not ended in time, and for failures.'),
  message: z.string(),
  action: z.enum(TERMINAL_ACTIONS).optional(),
  session_identifier: z.string().optional(),
  project_path: z.string().optional(),
  tag: z.string().optional(),
  output: z.string().optional().describe('What the command wrote, or what is shown.'),
  exit_code: z.int().optional(),
  state: z.enum(WAIT_STATES).optional(),
  rests_on: z.array(z.string()).optional().describe('The facts that the state rests on.'),
  timed_out: z.boolean().optional(),
  is_confined: z.boolean().optional(),
  left_out: z.array(z.string()).optional().describe('What is not shown, and how to get it.'),
  screen: ScreenFacts.optional(),
  next_cursor: z.int().optional().describe('Give it as cursor to read on from here.'),
  total_bytes: z.int().optional(),
  total_lines: z.int().optional(),
  sessions: z.array(SessionEntry).optional(),
  program_version: z.string().optional(),
  configuration: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).optional(),
  error_code: z.string().optional(),
  suggestion: z.string().optional(),
});
export type TerminalAnswer = z.output<typeof TerminalAnswer>;

/** What a use case comes to. */
export const TerminalOutcome = z.object({
  answer: TerminalAnswer,
  /** The message of the answer without what was added below it. */
  bare_message: z.string(),
  /** A command in the foreground stands still until somebody types. */
  awaits: z.object({ prompt: z.string().optional() }).optional(),
});
export type TerminalOutcome = z.output<typeof TerminalOutcome>;

/** A message in the order it is read in. */
export interface MessageParts {
  /** Our own words before the output. */
  readonly head: string;
  /** What a program wrote. */
  readonly output: string;
  /** Our own words after it. */
  readonly remarks: string;
}

/** Pure: what of a message somebody else wrote, for whoever shows that apart. */
export function messageParts({ message, output = '' }: TerminalAnswer): MessageParts {
  const end = message.indexOf('\n') + 1;
  const isQuoted = end > 0 && output !== '' && message.startsWith(output, end);
  if (!isQuoted) return { head: message, output: '', remarks: '' };
  return {
    head: message.slice(0, end - 1),
    output,
    remarks: message.slice(end + output.length).trim(),
  };
}
