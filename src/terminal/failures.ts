import { mentionCommand } from '../model/text/mention.ts';
import { DeskterityError } from '../model/effects/errors.ts';
import { attachCommand, displayTag, projectName } from '../model/terminals/session-name.ts';
import type { TerminalIdentity } from '../model/terminals/session-name.ts';
import { clip, quote, reveal } from '../model/text/untrusted-text.ts';

const LONGEST_COMMAND = 200;

/** TERMINAL_NOT_FOUND. */
export function noSuchTerminal(session: TerminalIdentity): DeskterityError {
  return new DeskterityError('TERMINAL_NOT_FOUND', sessionNotFound(session), {
    suggestion: `List what there is with action "list" (${mentionCommand('terminal list')}), or execute a command there, which makes it.`,
  });
}

export function sessionNotFound({ projectPath, tag }: TerminalIdentity): string {
  const project = projectPath === undefined ? 'none' : projectName(projectPath);
  return `Session with project '${project}' and tag '${displayTag({ projectPath: undefined, tag })}' not found.`;
}

/** TERMINAL_NOT_FOUND, where only its id is known. */
export function unknownTerminal(id: string): DeskterityError {
  return new DeskterityError('TERMINAL_NOT_FOUND', `There is no terminal ${reveal(clip(id, 40))}.`, {
    suggestion: `List what there is with action "list" (${mentionCommand('terminal list')}); it may have ended.`,
  });
}

/** TERMINAL_BUSY: what runs is left alone, and the caller has the choice. @param program where the command is not known, as the kernel has it */
export function terminalBusy(
  session: TerminalIdentity,
  running: { readonly command: string | undefined; readonly program: string | undefined },
): DeskterityError {
  const what = shownCommand(running.command ?? running.program);
  return new DeskterityError(
    'TERMINAL_BUSY',
    `Session '${displayTag(session)}' is busy${what === undefined ? '' : ` with ${what}`}; nothing was run.`,
    {
      suggestion: `Look at it with action "read", answer it with "send", end it with "kill", use another tag, or repeat the call with interrupt (${mentionCommand('terminal execute', { interrupt: true })}), which ends it first.`,
      retryable: true,
    },
  );
}

/** ACTION_FAILED: interrupting did not help. */
export function busyProcessStays(session: TerminalIdentity): DeskterityError {
  return new DeskterityError('ACTION_FAILED', 'Failed to stop busy process before execution.', {
    suggestion: `End it with action "kill", which goes on to SIGKILL, or use another tag than that of '${displayTag(session)}'.`,
    delivered: false,
  });
}

/** ACTION_FAILED: the shell has not begun what was typed. */
export function commandNotBegun(session: TerminalIdentity): DeskterityError {
  return new DeskterityError(
    'ACTION_FAILED',
    `The shell in session '${displayTag(session)}' has not begun the command.`,
    {
      suggestion:
        'See what is on its screen with action "screen"; end what is there with "kill", or close the session with "close".',
      delivered: true,
    },
  );
}

/** ACTION_FAILED: the file that hands a command to the shell. */
export function commandNotWritten(cause: unknown): DeskterityError {
  const code = cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : '';
  return new DeskterityError(
    'ACTION_FAILED',
    `The command could not be handed to the shell${code}; nothing was run.`,
    {
      suggestion: 'See that the runtime folder of the user (XDG_RUNTIME_DIR) has room and can be written to.',
      delivered: false,
    },
  );
}

/** ACTION_FAILED: after every signal something is still there. */
export function processSurvives(session: TerminalIdentity, pids: readonly number[]): DeskterityError {
  return new DeskterityError(
    'ACTION_FAILED',
    `Processes in session '${displayTag(session)}' are still there after SIGKILL: ${pids.slice(0, 10).join(', ')}.`,
    {
      suggestion: 'They may wait for a device or belong to another user; look at them with ps.',
      delivered: true,
    },
  );
}

/** POLICY_DENIED: what is sent now would be taken as a secret, and a secret never passes through a model. */
export function secretIsTheUsers(session: TerminalIdentity, program: string | undefined): DeskterityError {
  const who = program === undefined ? 'The program' : shownCommand(program);
  return new DeskterityError(
    'POLICY_DENIED',
    `${who} in session '${displayTag(session)}' asks for a secret; nothing was sent.`,
    { suggestion: theUserTypes(session), delivered: false },
  );
}

/** How the user gets to the prompt. */
export function theUserTypes(session: TerminalIdentity): string {
  return `The user types it: action "attach" opens the session for them, or they run ${attachCommand(session)} in any terminal.`;
}

function shownCommand(command: string | undefined): string | undefined {
  return command === undefined ? undefined : quote(clip(command, LONGEST_COMMAND));
}
