import { z } from 'zod';
import { TERMINAL_ACTIONS } from './terminal-action.ts';
import { WAIT_STATES } from './terminal-state.ts';

/** A session in a list. */
export const SessionEntry = z.object({
  ref: z
    .string()
    .optional()
    .describe(
      'Reference (@t1) of the terminal, for snapshot, find, click, type and other commands on its screen.',
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
  window_identifier: z.string().nullable().describe('Window of the application that shows it, if any.'),
  tab_identifier: z.string().nullable(),
});
export type SessionEntry = z.output<typeof SessionEntry>;

/** The facts of a screen beside its text. Rows and columns count from 1. */
export const ScreenFacts = z.object({
  columns: z.int(),
  rows: z.int(),
  title: z.string(),
  is_alternate: z.boolean().describe('A full-screen program is running.'),
  cursor: z.object({ row: z.int(), column: z.int(), is_visible: z.boolean() }),
  highlighted: z
    .array(z.object({ row: z.int(), text: z.string() }))
    .describe('Text highlighted by colour or inverse video, such as the selected line of a menu.'),
});
export type ScreenFacts = z.output<typeof ScreenFacts>;

/** The answer of a terminal command: a sentence, and the same as data. */
export const TerminalAnswer = z.object({
  success: z.boolean().describe('False if the call failed, or the command was lost or did not end in time.'),
  message: z.string(),
  action: z.enum(TERMINAL_ACTIONS).optional(),
  session_identifier: z.string().optional(),
  project_path: z.string().optional(),
  tag: z.string().optional(),
  output: z.string().optional().describe('The output of the command, or the text on the screen.'),
  exit_code: z.int().optional(),
  state: z.enum(WAIT_STATES).optional(),
  rests_on: z.array(z.string()).optional().describe('The facts that the state is based on.'),
  timed_out: z.boolean().optional(),
  lost: z
    .boolean()
    .optional()
    .describe(
      'The session was killed before the command was known to have ended: it may have run in part or completely, and was not sent again.',
    ),
  is_confined: z.boolean().optional(),
  left_out: z.array(z.string()).optional().describe('What is not shown, and how to get it.'),
  screen: ScreenFacts.optional(),
  raw: z.string().optional().describe('Bytes of the output as base64, exactly as the programs wrote them.'),
  next_cursor: z.int().optional().describe('Pass it as cursor to continue from here.'),
  total_bytes: z.int().optional(),
  total_lines: z.int().optional(),
  sessions: z.array(SessionEntry).optional(),
  program_version: z.string().optional(),
  configuration: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).optional(),
  error_code: z.string().optional(),
  suggestion: z.string().optional(),
});
export type TerminalAnswer = z.output<typeof TerminalAnswer>;

/** The result of a use case. */
export const TerminalOutcome = z.object({
  answer: TerminalAnswer,
  /** The message of the answer without additions below it. */
  bare_message: z.string(),
  /** Present if a command in the foreground waits for input. */
  awaits: z.object({ prompt: z.string().optional() }).optional(),
});
export type TerminalOutcome = z.output<typeof TerminalOutcome>;

/** The parts of a message, in order. */
export interface MessageParts {
  /** Our own words before the output. */
  readonly head: string;
  /** The output of a program. */
  readonly output: string;
  /** Our own words after it. */
  readonly remarks: string;
}

/** Separates a program's output from our own words in a message. */
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
