import type { TerminalAction } from '../../model/terminals/terminal-action.ts';
import type {
  ScreenFacts,
  SessionEntry,
  TerminalAnswer,
  TerminalOutcome,
} from '../../model/terminals/terminal-answer.ts';
import { displayName, displayTag, type TerminalIdentity } from '../../model/terminals/session-name.ts';
import { lineAwaited, waitingMessage, type WaitState } from '../../model/terminals/terminal-state.ts';
import { clip, quote, reveal } from '../../model/text/untrusted-text.ts';
import type { OutputPart } from '../../ports/operations.ts';
import { userMustType } from '../failures.ts';

/** The outcome of a command. */
export interface CommandOutcome {
  readonly session: TerminalIdentity;
  readonly output: string;
  readonly state: WaitState;
  readonly restsOn: readonly string[];
  readonly exitCode: number | undefined;
  readonly leftOut: readonly string[];
  /** Text before the cursor if it waits for a line. */
  readonly prompt: string | undefined;
}

/** A session in a list. */
interface ListedSession {
  readonly identity: TerminalIdentity;
  readonly isBusy: boolean;
  readonly entry: SessionEntry;
}

const LONGEST_SHOWN = 120;

/** A foreground command that has ended. */
export function completed(outcome: CommandOutcome): TerminalOutcome {
  const { session, output, exitCode } = outcome;
  const remarks = [
    ...(exitCode === undefined || exitCode === 0 ? [] : [`Exit code ${exitCode}.`]),
    ...(outcome.state === 'exited' ? waitRemarks(outcome) : []),
  ];
  return commandOutcome(
    'execute',
    outcome,
    `Terminator: Command completed in session '${displayTag(session)}'. Output:\n${output}`,
    remarks,
  );
}

/** A background command after its first output; it has an exit code if it has ended by then. */
export function started(outcome: CommandOutcome): TerminalOutcome {
  const { session, output, exitCode } = outcome;
  const remarks = exitCode === undefined ? waitRemarks(outcome) : [`It ended with exit code ${exitCode}.`];
  return commandOutcome(
    'execute',
    outcome,
    `Terminator: Command started in background in session '${displayTag(session)}'. Initial output (up to 'lines' limit):\n${output}`,
    remarks,
  );
}

/** A foreground command that has not ended in time. */
export function timedOut(outcome: CommandOutcome, seconds: number): TerminalOutcome {
  const message = `Terminator: Command timed out after ${seconds} seconds in session '${displayTag(outcome.session)}'. Output may be incomplete. Output:\n${outcome.output}`;
  return withData(commandOutcome('execute', outcome, message, waitRemarks(outcome)), {
    success: false,
    timed_out: true,
  });
}

/** A command whose session ended before it was known to have ended. @param why clause that gives the reason */
export function lost(outcome: CommandOutcome, why: string): TerminalOutcome {
  const message = `Terminator: Command lost in session '${displayTag(outcome.session)}': ${why}. It may have run in part or completely, and was not sent again. Output until then:\n${outcome.output}`;
  const remarks = [
    'Check what it has done before you run it again. The session has ended; the next command starts a new one.',
  ];
  return withData(commandOutcome('execute', { ...outcome, state: 'exited' }, message, remarks), {
    success: false,
    lost: true,
  });
}

/** A foreground command that waits for input. */
export function waiting(outcome: CommandOutcome): TerminalOutcome {
  const { session, output, prompt } = outcome;
  const message = waitingMessage(session, waitRemarks(outcome), output);
  const awaits = prompt === undefined ? {} : { prompt };
  return { ...commandOutcome('execute', outcome, message, []), awaits };
}

export function linesRead(outcome: CommandOutcome): TerminalOutcome {
  return commandOutcome('read', outcome, contentOf(outcome), waitRemarks(outcome));
}

/** The screen after input was sent. */
export function sent(outcome: CommandOutcome): TerminalOutcome {
  const message = `${actionCompleted('send', outcome.session)} Screen:\n${outcome.output}`;
  return commandOutcome('send', outcome, message, waitRemarks(outcome));
}

/** The screen with its cursor, title and highlights. */
export function screenRead(outcome: CommandOutcome, screen: ScreenFacts): TerminalOutcome {
  const { cursor, columns, rows, title, highlighted } = screen;
  const remarks = [
    `${columns}x${rows}, cursor ${cursor.is_visible ? 'at' : 'hidden at'} row ${cursor.row}, column ${cursor.column}${title === '' ? '' : `, title ${quote(clip(title, LONGEST_SHOWN))}`}.`,
    ...highlighted.map(({ row, text }) => `Highlighted in row ${row}: ${quote(clip(text, LONGEST_SHOWN))}.`),
    ...waitRemarks(outcome),
  ];
  const message = contentOf(outcome);
  return withData(commandOutcome('screen', outcome, message, remarks), {
    screen: { ...screen, title: reveal(title) },
  });
}

/** A part of the output since the session began. */
export function outputRead(
  outcome: CommandOutcome,
  { next_cursor, total_bytes, total_lines }: Omit<OutputPart, 'text' | 'left_out'>,
): TerminalOutcome {
  const remarks = [`${total_lines} lines in all, next cursor ${next_cursor}.`];
  const read = commandOutcome('output', outcome, contentOf(outcome), remarks);
  return withData(read, { next_cursor, total_bytes, total_lines });
}

/** Adds remarks below the message. */
export function withRemarks(outcome: TerminalOutcome, remarks: readonly string[]): TerminalOutcome {
  if (remarks.length === 0) return outcome;
  const { message } = outcome.answer;
  const separator = message.endsWith('\n') ? '' : '\n';
  return withData(outcome, { message: `${message}${separator}${remarks.join('\n')}` });
}

export function withData(outcome: TerminalOutcome, data: Partial<TerminalAnswer>): TerminalOutcome {
  return { ...outcome, answer: { ...outcome.answer, ...data } };
}

export function listed(entries: readonly ListedSession[]): TerminalOutcome {
  const count = entries.length === 1 ? '1 session' : `${entries.length} sessions`;
  const message =
    entries.length === 0
      ? 'Terminator: No active sessions found.'
      : [`Terminator: Found ${count}.`, ...entries.map(numbered)].join('\n');
  return whole({ success: true, message, action: 'list', sessions: entries.map(({ entry }) => entry) });
}

export function informed(
  facts: {
    readonly version: string;
    readonly app: string;
    readonly grouping: string;
    readonly logLevel: string;
  },
  configuration: Readonly<Record<string, string | number | boolean>>,
  entries: readonly ListedSession[],
): TerminalOutcome {
  const { version, app, grouping, logLevel } = facts;
  const head = `Terminator v${version}. Config: App=${app}, Grouping=${grouping}, LogLevel=${logLevel}.`;
  return whole({
    success: true,
    message:
      entries.length === 0
        ? `${head} No active sessions.`
        : [`${head} Active Sessions:`, ...entries.map(numbered)].join('\n'),
    action: 'info',
    program_version: version,
    configuration: { ...configuration },
    sessions: entries.map(({ entry }) => entry),
  });
}

function numbered({ identity, isBusy }: ListedSession, index: number): string {
  return `${index + 1}. ${displayName(identity)} (${isBusy ? 'Busy' : 'Idle'})`;
}

/** `kill`, `focus` and all other actions without output. */
export function done(
  action: TerminalAction,
  session: TerminalIdentity,
  message = doneMessage(action, session),
): TerminalOutcome {
  return whole({ success: true, message, action, ...named(session) });
}

function doneMessage(action: TerminalAction, session: TerminalIdentity): string {
  const tag = displayTag(session);
  if (action === 'kill') return `Terminator: Process in session '${tag}' successfully terminated.`;
  return action === 'focus'
    ? `Terminator: Session '${tag}' is now focused.`
    : actionCompleted(action, session);
}

export function actionCompleted(action: TerminalAction, session: TerminalIdentity): string {
  return `Terminator: Action '${action}' completed successfully for session '${displayTag(session)}'.`;
}

function contentOf({ session, output }: CommandOutcome): string {
  return `Terminator: Content from session '${displayTag(session)}':\n${output}`;
}

function whole(answer: TerminalAnswer): TerminalOutcome {
  return { answer, bare_message: answer.message };
}

/** Remarks follow the output after a blank line. */
function commandOutcome(
  action: TerminalAction,
  { session, output, state, restsOn, exitCode, leftOut }: CommandOutcome,
  message: string,
  remarks: readonly string[],
): TerminalOutcome {
  const more = [...remarks, ...leftOut];
  const bare = whole({
    success: true,
    message,
    action,
    ...named(session),
    output,
    ...(exitCode === undefined ? {} : { exit_code: exitCode }),
    state,
    rests_on: [...restsOn],
    ...(leftOut.length === 0 ? {} : { left_out: [...leftOut] }),
  });
  return more.length === 0 ? bare : withRemarks(bare, ['', ...more]);
}

function named(session: TerminalIdentity) {
  return {
    session_identifier: displayName(session),
    ...(session.projectPath === undefined ? {} : { project_path: session.projectPath }),
    tag: session.tag,
  };
}

/** What the caller needs to know to continue with the session. */
function waitRemarks({ session, state, prompt }: CommandOutcome): readonly string[] {
  switch (state) {
    case 'waiting_for_line':
      return [lineAwaited(prompt), 'Answer with action "send".'];
    case 'waiting_for_secret':
      return ['It is waiting for a secret, such as a password. Do not send one.', userMustType(session)];
    case 'full_screen':
      return [
        'A full-screen program is running.',
        'Look at it with action "screen" and press its keys with "send".',
      ];
    case 'running':
      return ['It is still running.'];
    case 'exited':
      return ['The shell of this session has ended.'];
    default:
      return [];
  }
}
