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

/** The next steps that Terminator offers. */
const TERMINATOR_BUSY = 'Look at it with action "read", end it with action "kill", or use another tag.';

/** The message of `terminator.execute`: Terminator's wording, for clients without actions to type with. */
export function terminatorMessage({ answer, bare_message: message, awaits }: TerminalOutcome): string {
  const { project_path: projectPath, tag = '', output = '' } = answer;
  if (awaits === undefined) return message;
  const session = { projectPath, tag };
  const options = `the user runs ${attachCommand(session)} in any terminal, or action "kill" ends it.`;
  return waitingMessage(session, describeWait(answer, awaits.prompt, options), output);
}

function describeWait(
  { state }: TerminalAnswer,
  prompt: string | undefined,
  options: string,
): readonly string[] {
  switch (state) {
    case 'waiting_for_line':
      return [lineAwaited(prompt), `To answer it ${options}`];
    case 'waiting_for_secret':
      return ['It is waiting for a secret, such as a password.', `To type it ${options}`];
    case 'full_screen':
      return ['A full-screen program is running.', `To use it ${options}`];
    default:
      return ['It is still running.'];
  }
}

/** A failure in the terms of the tool that was called; errors that Terminator has a wording for use only that. */
export function describeFailure(
  dialect: TerminalDialect,
  action: TerminalAction,
  { code, message, suggestion: own }: DeskterityError,
): TerminalAnswer {
  const isTerminator = dialect === 'terminator';
  const suggestion = isTerminator && code === 'TERMINAL_BUSY' ? TERMINATOR_BUSY : own;
  const data = { success: false, action, error_code: code, suggestion };
  if (code === 'CANCELLED') return { ...data, message: CANCELLED_MESSAGE };
  const hasOwnWording = isTerminator && code === 'TERMINAL_NOT_FOUND';
  return { ...data, message: errorMessage(hasOwnWording ? message : `${message} ${suggestion}`) };
}

/** @param problem one or more sentences; a missing full stop is added */
export function errorMessage(problem: string): string {
  return `Terminator Error: ${/[?!]$/.test(problem) ? problem : `${problem.replace(/\.+$/, '')}.`}`;
}
