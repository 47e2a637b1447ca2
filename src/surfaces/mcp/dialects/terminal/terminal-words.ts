import type { DeskterityError } from '../../../../model/effects/errors.ts';
import { attachCommand } from '../../../../model/terminals/session-name.ts';
import type { TerminalAnswer, TerminalOutcome } from '../../../../model/terminals/terminal-answer.ts';
import type { TerminalAction } from '../../../../model/terminals/terminal-action.ts';
import {
  CANCELLED_MESSAGE,
  lineAwaited,
  waitingMessage,
} from '../../../../model/terminals/terminal-state.ts';
import type { TerminalDialect } from './dialects.ts';

/** Ways on that S2's own tool has. */
const S2_BUSY = 'Look at it with action "read", end it with action "kill", or use another tag.';

/** What S2's own tool says: word for word S2, without what ours adds, and for who has no action to type with. */
export function terminatorMessage({ answer, bare_message: message, awaits }: TerminalOutcome): string {
  const { project_path: projectPath, tag = '', output = '' } = answer;
  if (awaits === undefined) return message;
  const session = { projectPath, tag };
  const ways = `the user runs ${attachCommand(session)} in any terminal, or action "kill" ends it.`;
  return waitingMessage(session, waitInWords(answer, awaits.prompt, ways), output);
}

function waitInWords({ state }: TerminalAnswer, prompt: string | undefined, ways: string): readonly string[] {
  switch (state) {
    case 'waiting_for_line':
      return [lineAwaited(prompt), `To answer it ${ways}`];
    case 'waiting_for_secret':
      return ['It waits for a secret, such as a password.', `To type it ${ways}`];
    case 'full_screen':
      return ['A full-screen program has the terminal.', `To use it ${ways}`];
    default:
      return ['It still runs.'];
  }
}

/** A failure in the words of the tool that was called; what S2 has words for has these alone in its own. */
export function failureInWords(
  dialect: TerminalDialect,
  action: TerminalAction,
  { code, message, suggestion: ours }: DeskterityError,
): TerminalAnswer {
  const isTheirs = dialect === 'terminator';
  const suggestion = isTheirs && code === 'TERMINAL_BUSY' ? S2_BUSY : ours;
  const data = { success: false, action, error_code: code, suggestion };
  if (code === 'CANCELLED') return { ...data, message: CANCELLED_MESSAGE };
  const isWorded = isTheirs && code === 'TERMINAL_NOT_FOUND';
  return { ...data, message: errorMessage(isWorded ? message : `${message} ${suggestion}`) };
}

/** @param problem one sentence or more; the last ends with one mark, whether it has one or not */
export function errorMessage(problem: string): string {
  return `Terminator Error: ${/[?!]$/.test(problem) ? problem : `${problem.replace(/\.+$/, '')}.`}`;
}
