import { quoteClipped } from '../text/untrusted-text.ts';
import { displayTag, type TerminalIdentity } from './session-name.ts';

/** What a terminal is doing. `idle`: its shell is at the prompt. */
export const WAIT_STATES = [
  'idle',
  'running',
  'waiting_for_line',
  'waiting_for_secret',
  'full_screen',
  'exited',
] as const;
export type WaitState = (typeof WAIT_STATES)[number];

const LONGEST_PROMPT = 120;

/** @param prompt text before the cursor */
export function lineAwaited(prompt: string | undefined): string {
  return prompt === undefined || prompt.trim() === ''
    ? 'It is waiting for a line of input.'
    : `It is waiting for a line of input after ${quoteClipped(prompt, LONGEST_PROMPT)}.`;
}

/** The message for a command that waits for input. */
export function waitingMessage(
  session: TerminalIdentity,
  [head = 'The command is running.', ...rest]: readonly string[],
  output: string,
): string {
  const where = `Terminator: In session '${displayTag(session)}': ${head}`;
  return [where, ...rest, `Output so far:\n${output}`].join(' ');
}

/** The message for a client that cancelled its own request. */
export const CANCELLED_MESSAGE = 'Terminator action cancelled by request.';
