import type { DeskterityError } from '../../model/effects/errors.ts';
import type { TerminalAction, TerminalDialect } from '../../model/terminals/terminal-action.ts';
import type { ScreenFacts, SessionEntry, TerminalAnswer } from '../../model/terminals/terminal-answer.ts';
import type { WaitState } from '../../model/terminals/terminal-state.ts';
import { clip, quote, reveal } from '../../model/text/untrusted-text.ts';
import { attachCommand, theUserTypes } from './terminal-failures.ts';
import { displayName, displayTag } from './terminal-identity.ts';
import type { TerminalIdentity } from './terminal-identity.ts';
import {
  actionCompleted,
  CANCELLED_MESSAGE,
  commandCompleted,
  commandStarted,
  commandTimedOut,
  contentOf,
  errorMessage,
  informationOn,
  processTerminated,
  sessionFocused,
  sessionsFound,
} from './terminal-messages.ts';
import type { InformationFacts, ListedSession } from './terminal-messages.ts';

/** What became of a command. */
export interface CommandOutcome {
  readonly session: TerminalIdentity;
  readonly output: string;
  readonly state: WaitState;
  readonly restsOn: readonly string[];
  readonly exitCode: number | undefined;
  readonly leftOut: readonly string[];
  /** Text before the cursor, where it waits for a line. */
  readonly prompt: string | undefined;
}

const LONGEST_PROMPT = 120;

export interface AnswerSetting {
  readonly dialect: TerminalDialect;
  readonly action: TerminalAction;
}

/** A foreground command that has come to its end. */
export function completedAnswer(setting: AnswerSetting, outcome: CommandOutcome): TerminalAnswer {
  const { session, output, exitCode } = outcome;
  const remarks = [
    ...(exitCode === undefined || exitCode === 0 ? [] : [`Exit code ${exitCode}.`]),
    ...(outcome.state === 'exited' ? waitRemarks(outcome) : []),
  ];
  return commandAnswer(setting, outcome, commandCompleted(session, output), remarks);
}

/** A background command after its first output; one that has ended by then has an exit code. */
export function startedAnswer(setting: AnswerSetting, outcome: CommandOutcome): TerminalAnswer {
  const { session, output, exitCode } = outcome;
  const remarks =
    exitCode === undefined ? waitRemarks(outcome) : [`It has ended with exit code ${exitCode}.`];
  return commandAnswer(setting, outcome, commandStarted(session, output), remarks);
}

/** A foreground command that has not come to its end in time. */
export function timedOutAnswer(
  setting: AnswerSetting,
  outcome: CommandOutcome,
  seconds: number,
): TerminalAnswer {
  const message = commandTimedOut(outcome.session, seconds, outcome.output);
  const answer = commandAnswer(setting, outcome, message, waitRemarks(outcome));
  return { ...answer, success: false, timed_out: true };
}

/** A foreground command that stands still until somebody types. S2 has no words for it. */
export function waitingAnswer(setting: AnswerSetting, outcome: CommandOutcome): TerminalAnswer {
  const [head = 'The command runs.', ...rest] =
    setting.dialect === 'terminator' ? userRemarks(outcome) : waitRemarks(outcome);
  const where = `Terminator: In session '${displayTag(outcome.session)}': ${head}`;
  const message = [where, ...rest, `Output so far:\n${outcome.output}`].join(' ');
  return commandAnswer(setting, outcome, message, []);
}

export function readAnswer(setting: AnswerSetting, outcome: CommandOutcome): TerminalAnswer {
  return commandAnswer(setting, outcome, contentOf(outcome.session, outcome.output), waitRemarks(outcome));
}

/** What the screen shows after somebody has typed. */
export function sentAnswer(setting: AnswerSetting, outcome: CommandOutcome): TerminalAnswer {
  const message = `${actionCompleted('send', outcome.session)} Screen:\n${outcome.output}`;
  return commandAnswer(setting, outcome, message, waitRemarks(outcome));
}

/** The screen as it is, with what is on it beside its text. */
export function screenAnswer(
  setting: AnswerSetting,
  outcome: CommandOutcome,
  screen: ScreenFacts,
): TerminalAnswer {
  const { cursor, columns, rows, title, highlighted } = screen;
  const remarks = [
    `${columns}x${rows}, cursor ${cursor.is_visible ? 'at' : 'hidden at'} row ${cursor.row}, column ${cursor.column}${title === '' ? '' : `, title ${quote(clip(title, LONGEST_PROMPT))}`}.`,
    ...highlighted.map(({ row, text }) => `Stands out in row ${row}: ${quote(clip(text, LONGEST_PROMPT))}.`),
    ...waitRemarks(outcome),
  ];
  return {
    ...commandAnswer(setting, outcome, contentOf(outcome.session, outcome.output), remarks),
    screen: { ...screen, title: reveal(title) },
  };
}

/** A part of what was shown since the session began. */
export function outputAnswer(
  setting: AnswerSetting,
  outcome: CommandOutcome,
  part: { readonly nextCursor: number; readonly totalBytes: number; readonly totalLines: number },
): TerminalAnswer {
  const remarks = [`${part.totalLines} lines in all, next cursor ${part.nextCursor}.`];
  return {
    ...commandAnswer(setting, outcome, contentOf(outcome.session, outcome.output), remarks),
    next_cursor: part.nextCursor,
    total_bytes: part.totalBytes,
    total_lines: part.totalLines,
  };
}

/** The same with more to say below; S2's own tool keeps to S2's words. */
export function withRemarks(
  { dialect }: Pick<AnswerSetting, 'dialect'>,
  answer: TerminalAnswer,
  remarks: readonly string[],
): TerminalAnswer {
  if (dialect === 'terminator' || remarks.length === 0) return answer;
  const { message } = answer;
  return { ...answer, message: `${message}${message.endsWith('\n') ? '' : '\n'}${remarks.join('\n')}` };
}

export function listAnswer(
  entries: readonly (ListedSession & { readonly entry: SessionEntry })[],
): TerminalAnswer {
  return {
    success: true,
    message: sessionsFound(entries),
    action: 'list',
    sessions: entries.map(({ entry }) => entry),
  };
}

export function infoAnswer(
  facts: Omit<InformationFacts, 'sessions'>,
  configuration: Readonly<Record<string, string | number | boolean>>,
  entries: readonly (ListedSession & { readonly entry: SessionEntry })[],
): TerminalAnswer {
  return {
    success: true,
    message: informationOn({ ...facts, sessions: entries }),
    action: 'info',
    program_version: facts.version,
    configuration: { ...configuration },
    sessions: entries.map(({ entry }) => entry),
  };
}

/** `kill`, `focus`, and every other action that has nothing to show. */
export function doneAnswer({ action }: AnswerSetting, session: TerminalIdentity): TerminalAnswer {
  return { success: true, message: doneMessage(action, session), action, ...named(session) };
}

/** A failure; what S2 has words for has these alone in its own tool. */
export function failureAnswer({ dialect, action }: AnswerSetting, error: DeskterityError): TerminalAnswer {
  const { code, message, suggestion } = error;
  const data = { success: false, action, error_code: code, suggestion };
  if (code === 'CANCELLED') return { ...data, message: CANCELLED_MESSAGE };
  const isWorded = dialect === 'terminator' && code === 'TERMINAL_NOT_FOUND';
  return { ...data, message: errorMessage(isWorded ? message : `${message} ${suggestion}`) };
}

function doneMessage(action: TerminalAction, session: TerminalIdentity): string {
  if (action === 'kill') return processTerminated(session);
  return action === 'focus' ? sessionFocused(session) : actionCompleted(action, session);
}

/** In its own tool S2 is word for word; ours says more below. */
function commandAnswer(
  { dialect, action }: AnswerSetting,
  { session, output, state, restsOn, exitCode, leftOut }: CommandOutcome,
  message: string,
  remarks: readonly string[],
): TerminalAnswer {
  const more = dialect === 'terminal' ? [...remarks, ...leftOut] : [];
  return {
    success: true,
    message:
      more.length === 0 ? message : `${message}${message.endsWith('\n') ? '' : '\n'}\n${more.join('\n')}`,
    action,
    ...named(session),
    output,
    ...(exitCode === undefined ? {} : { exit_code: exitCode }),
    state,
    rests_on: [...restsOn],
    ...(leftOut.length === 0 ? {} : { left_out: [...leftOut] }),
  };
}

function named(session: TerminalIdentity) {
  return {
    session_identifier: displayName(session),
    ...(session.projectPath === undefined ? {} : { project_path: session.projectPath }),
    tag: session.tag,
  };
}

/** What somebody has to know who would go on with the session. */
function waitRemarks({ session, state, prompt }: CommandOutcome): readonly string[] {
  switch (state) {
    case 'waiting_for_line':
      return [lineAwaited(prompt), 'Answer with action "send".'];
    case 'waiting_for_secret':
      return ['It waits for a secret, such as a password. Do not send one.', theUserTypes(session)];
    case 'full_screen':
      return [
        'A full-screen program has the terminal.',
        'Look at it with action "screen", press its keys with "send".',
      ];
    case 'running':
      return ['It still runs.'];
    case 'exited':
      return ['The shell of this session has ended.'];
    default:
      return [];
  }
}

/** The same for whoever has no action to type with. */
function userRemarks(outcome: CommandOutcome): readonly string[] {
  const { session, state, prompt } = outcome;
  const ways = `the user runs ${attachCommand(session)} in any terminal, or action "kill" ends it.`;
  switch (state) {
    case 'waiting_for_line':
      return [lineAwaited(prompt), `To answer it ${ways}`];
    case 'waiting_for_secret':
      return ['It waits for a secret, such as a password.', `To type it ${ways}`];
    case 'full_screen':
      return ['A full-screen program has the terminal.', `To use it ${ways}`];
    default:
      return waitRemarks(outcome);
  }
}

function lineAwaited(prompt: string | undefined): string {
  return prompt === undefined
    ? 'It waits for a line of input.'
    : `It waits for a line of input after ${quote(clip(prompt, LONGEST_PROMPT))}.`;
}
