import { mentionKey } from '../text/mention.ts';
import { z } from 'zod';
import { hidingIn } from '../text/untrusted-text.ts';
import type { TerminalAction } from './terminal-action.ts';
import { LONGEST_TERMINAL_WAIT_SECONDS, MOST_TERMINAL_LINES, TERMINAL_SIZES } from './terminal-bounds.ts';

/** The requests to terminals, one for each use case. Commands, library and MCP dialects all use these. */

const LONGEST_TEXT = 1_000_000;

/** Without NUL and lone surrogates. */
export function isWholeText(text: string): boolean {
  return !text.includes('\0') && !/\p{Cs}/u.test(text);
}

/** What a tag hides in titles and lists; `undefined` if nothing. */
export function hiddenInTag(tag: string): string | undefined {
  return hidingIn(tag) ?? (/[\t\n\r]/.test(tag) ? 'a line break or tab' : undefined);
}

function text(longest: number, least = 0) {
  const bounded = z.string().max(longest);
  return (least === 0 ? bounded : bounded.min(least)).refine(isWholeText, {
    error: 'must not contain NUL or lone surrogates',
  });
}

function flag(description: string) {
  return z.boolean().default(false).describe(description);
}

function size({ least, most }: { readonly least: number; readonly most: number }) {
  return z.int().min(least).max(most).optional();
}

/** The terminal that a request is about. */
const session = {
  project_path: text(4096, 1).optional().describe('Folder of the project. Default: the current folder.'),
  tag: text(256, 1)
    .superRefine((tag, context) => {
      const hidden = hiddenInTag(tag);
      if (hidden !== undefined) context.addIssue({ code: 'custom', message: `contains ${hidden}` });
    })
    .optional()
    .describe('Tag of the terminal, such as server. Default: the name of the folder.'),
};

const focus = {
  focus: z.boolean().optional().describe('Bring the window that shows it to the front.'),
  /** Used if neither the request nor the settings say. */
  focus_default: z.boolean().optional(),
};

const lines = z.int().min(0).max(MOST_TERMINAL_LINES).optional();

export const SessionRequest = z.object(session);
export type SessionRequest = z.output<typeof SessionRequest>;

export const ExecuteRequest = z.object({
  command: text(LONGEST_TEXT).default('').describe('What the shell runs, such as "npm test".'),
  background: z.boolean().optional().describe('Return the first output and leave the command running.'),
  interrupt: flag('First end the command that is running there (INT, TERM, KILL).'),
  clear: flag('Clear the screen first.'),
  confined: flag('Confine a new terminal to the project: no network, and no access to other files.'),
  lines: lines.describe('Maximum number of output lines, from the end. Default: 100.'),
  timeout_seconds: z
    .int()
    .min(1)
    .max(LONGEST_TERMINAL_WAIT_SECONDS)
    .optional()
    .describe(
      'Seconds to wait for the end (default 60) or, in the background, for the first output (default 5).',
    ),
  ...focus,
  columns: size(TERMINAL_SIZES.columns).describe('Width of a new terminal. Default: 120.'),
  rows: size(TERMINAL_SIZES.rows).describe('Height of a new terminal. Default: 40.'),
  ...session,
});
export type ExecuteRequest = z.output<typeof ExecuteRequest>;

const head = z
  .int()
  .min(1)
  .max(MOST_TERMINAL_LINES)
  .optional()
  .describe('Number of lines to read from the beginning, or from the cursor on.');

export const ReadRequest = z.object({
  head: head.describe('Number of lines to read from the beginning of all output instead.'),
  lines: lines.describe('Maximum number of lines. Default: 100.'),
  ...focus,
  ...session,
});
export type ReadRequest = z.output<typeof ReadRequest>;

export const OutputRequest = z.object({
  cursor: z
    .int()
    .min(0)
    .optional()
    .describe(`First byte to read: ${mentionKey('next_cursor')} of an earlier answer.`),
  head,
  head_bytes: z
    .int()
    .min(1)
    .optional()
    .describe('Number of bytes to read from the beginning, or from the cursor on.'),
  lines: lines.describe('Number of lines to read from the end.'),
  pattern: text(1000, 1).optional().describe('Only lines that match this regular expression.'),
  ignore_case: flag('Ignore case when matching the pattern.'),
  raw: flag(
    'Return the bytes themselves, as base64 and at most 48 KiB, from the cursor on or the last ones.',
  ),
  max_tokens: z.int().min(100).max(50_000).default(4000).describe('Maximum size of the answer in tokens.'),
  ...session,
});
export type OutputRequest = z.output<typeof OutputRequest>;

export const ListRequest = z.object({
  project_path: text(4096, 1).optional().describe('Only those of this project.'),
});
export type ListRequest = z.output<typeof ListRequest>;

export const KillRequest = z.object({ clear: flag('Clear the screen afterwards.'), ...focus, ...session });
export type KillRequest = z.output<typeof KillRequest>;

export const SendRequest = z.object({
  text: text(LONGEST_TEXT).optional().describe('Text to type; a line feed is Enter.'),
  keys: text(4096, 1).optional().describe('Keys, such as Enter, ctrl+c or "Down Down Enter".'),
  /** Of the screen in the answer. */
  lines,
  ...session,
});
export type SendRequest = z.output<typeof SendRequest>;

export const ResizeRequest = z.object({
  columns: size(TERMINAL_SIZES.columns).describe('Width in characters.'),
  rows: size(TERMINAL_SIZES.rows).describe('Height in lines.'),
  ...session,
});
export type ResizeRequest = z.output<typeof ResizeRequest>;

const REQUESTS = {
  /** Runs a command, or prepares the session for one; starts the session if there is none. */
  execute: ExecuteRequest,
  /** The last lines that are shown. */
  read: ReadRequest,
  /** Of all projects, or of one. */
  list: ListRequest,
  /** Settings and sessions. */
  info: ListRequest,
  /** Brings the window that shows it to the front. */
  focus: SessionRequest,
  /** Ends what runs in the foreground; the session stays. */
  kill: KillRequest,
  /** Types text and presses keys. */
  send: SendRequest,
  /** The screen as it is. */
  screen: SessionRequest,
  resize: ResizeRequest,
  /** A part of all output so far. */
  output: OutputRequest,
  /** Opens a window that shows it. */
  attach: SessionRequest,
  /** Ends the session. */
  close: SessionRequest,
} satisfies Record<TerminalAction, z.ZodType>;

/** The request of each use case. */
export type TerminalRequests = { readonly [A in TerminalAction]: z.output<(typeof REQUESTS)[A]> };

/** A request with the use case it is for. */
export type TerminalCall<A extends TerminalAction = TerminalAction> = {
  readonly [K in A]: { readonly action: K; readonly request: TerminalRequests[K] };
}[A];

function call<A extends TerminalAction>(action: A) {
  return z.object({ action: z.literal(action), request: REQUESTS[action] });
}

export const TerminalCall = z.discriminatedUnion('action', [
  call('execute'),
  call('read'),
  call('list'),
  call('info'),
  call('focus'),
  call('kill'),
  call('send'),
  call('screen'),
  call('resize'),
  call('output'),
  call('attach'),
  call('close'),
]);
