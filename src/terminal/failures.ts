import { mentionCommand, mentionParameter } from '../model/text/mention.ts';
import { DeskterityError } from '../model/effects/errors.ts';
import { attachCommand, displayTag, projectName } from '../model/terminals/session-name.ts';
import type { TerminalIdentity } from '../model/terminals/session-name.ts';
import { clip, quote, reveal } from '../model/text/untrusted-text.ts';

const LONGEST_COMMAND = 200;

/** TERMINAL_NOT_FOUND. */
export function noSuchTerminal(session: TerminalIdentity): DeskterityError {
  return new DeskterityError('TERMINAL_NOT_FOUND', sessionNotFound(session), {
    suggestion: `List terminals with action "list" (${mentionCommand('terminal list')}), or execute a command with this tag to start it.`,
  });
}

export function sessionNotFound({ projectPath, tag }: TerminalIdentity): string {
  const project = projectPath === undefined ? 'none' : projectName(projectPath);
  return `Session with project '${project}' and tag '${displayTag({ projectPath: undefined, tag })}' not found.`;
}

/** TERMINAL_NOT_FOUND for an id. @param delivered whether the request had been sent to it */
export function unknownTerminal(id: string, delivered = false): DeskterityError {
  return new DeskterityError('TERMINAL_NOT_FOUND', `There is no terminal ${reveal(clip(id, 40))}.`, {
    suggestion: `It may have ended: list terminals with action "list" (${mentionCommand('terminal list')}).`,
    delivered,
  });
}

/** Whether a terminal ended with its holder after the request was sent, which may therefore have been carried out and must not be repeated. */
export function isLostTerminal(error: unknown): boolean {
  return error instanceof DeskterityError && error.code === 'TERMINAL_NOT_FOUND' && error.delivered === true;
}

/** TERMINAL_BUSY: the running command is left alone and the caller decides. @param program the kernel's name of it, if the command is unknown */
export function terminalBusy(
  session: TerminalIdentity,
  running: { readonly command: string | undefined; readonly program: string | undefined },
): DeskterityError {
  const what = shownCommand(running.command ?? running.program);
  return new DeskterityError(
    'TERMINAL_BUSY',
    `Session '${displayTag(session)}' is busy${what === undefined ? '' : ` with ${what}`}; the command was not run.`,
    {
      suggestion: `Read its output with action "read", answer it with "send", end it with "kill", use another tag, or repeat the call with interrupt (${mentionCommand('terminal execute', { interrupt: true })}), which ends it first.`,
      retryable: true,
    },
  );
}

/** CONFLICT: the terminal was confined until its shell ended, and the request would start one that is not. */
export function confinedBefore(session: TerminalIdentity): DeskterityError {
  return new DeskterityError(
    'CONFLICT',
    `Session '${displayTag(session)}' was confined until its shell ended, and this call would start one that is not; nothing was run.`,
    {
      suggestion: `Repeat the call with confined (${mentionParameter('confined')}) or another tag. To use the tag without a sandbox, close the session first with action "close" (${mentionCommand('terminal close')}).`,
      delivered: false,
    },
  );
}

/** ACTION_FAILED: interrupting had no effect. */
export function busyProcessStays(session: TerminalIdentity): DeskterityError {
  return new DeskterityError('ACTION_FAILED', 'Failed to stop busy process before execution.', {
    suggestion: `End it with action "kill", which escalates to SIGKILL, or use another tag than '${displayTag(session)}'.`,
    delivered: false,
  });
}

/** ACTION_FAILED: the shell did not start the typed command. */
export function commandNotBegun(session: TerminalIdentity): DeskterityError {
  return new DeskterityError(
    'ACTION_FAILED',
    `The shell in session '${displayTag(session)}' did not start the command.`,
    {
      suggestion:
        'Look at its screen with action "screen", end the running program with "kill", or close the session with "close".',
      delivered: true,
    },
  );
}

/** ACTION_FAILED: the file with the command could not be written. */
export function commandNotWritten(cause: unknown): DeskterityError {
  const code = cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : '';
  return new DeskterityError(
    'ACTION_FAILED',
    `The command could not be passed to the shell${code} and was not run.`,
    {
      suggestion:
        'Make sure that the runtime folder of the user (XDG_RUNTIME_DIR) is writable and has free space.',
      delivered: false,
    },
  );
}

/** ACTION_FAILED: processes survived every signal. */
export function processSurvives(session: TerminalIdentity, pids: readonly number[]): DeskterityError {
  return new DeskterityError(
    'ACTION_FAILED',
    `Processes in session '${displayTag(session)}' are still running after SIGKILL: ${pids.slice(0, 10).join(', ')}.`,
    {
      suggestion: 'They may be waiting for a device or belong to another user; inspect them with ps.',
      delivered: true,
    },
  );
}

/** ACTION_FAILED: a command such as `exec` put another program in the place of the shell. */
export function shellReplaced(session: TerminalIdentity, program: string): DeskterityError {
  return new DeskterityError(
    'ACTION_FAILED',
    `The shell of session '${displayTag(session)}' was replaced by ${shownCommand(program)}, whose commands cannot be followed; it was not ended, as the session would end with it.`,
    {
      suggestion:
        'Answer it with action "send", or end the session with "close"; the next command then starts a new one.',
      delivered: true,
    },
  );
}

/** POLICY_DENIED: the input would be read as a secret, and secrets must never pass through a model. */
export function secretRequested(session: TerminalIdentity, program: string | undefined): DeskterityError {
  const who = program === undefined ? 'The program' : shownCommand(program);
  return new DeskterityError(
    'POLICY_DENIED',
    `${who} in session '${displayTag(session)}' asks for a secret; nothing was sent.`,
    { suggestion: userMustType(session), delivered: false },
  );
}

/** Tells the user how to reach the prompt. */
export function userMustType(session: TerminalIdentity): string {
  return `The user must type it: action "attach" opens the session for them, or they run ${attachCommand(session)} in any terminal.`;
}

function shownCommand(command: string | undefined): string | undefined {
  return command === undefined ? undefined : quote(clip(command, LONGEST_COMMAND));
}

/** For `catch`: a terminal that does not exist becomes `undefined`. */
export function undefinedIfNotFound(error: unknown): undefined {
  if (error instanceof DeskterityError && error.code === 'TERMINAL_NOT_FOUND') return undefined;
  throw error;
}
