import { resolve } from 'node:path';
import { z } from 'zod';
import { EXIT } from '../model/effects/errors.ts';
import type { TerminalAction } from '../model/terminals/terminal-action.ts';
import { TerminalAnswer } from '../model/terminals/terminal-answer.ts';
import { LONGEST_TERMINAL_WAIT_SECONDS } from '../model/terminals/terminal-bounds.ts';
import { reveal } from '../model/text/untrusted-text.ts';
import type { CommandContext } from './definition.ts';

/** Which session a command is about. */
export const sessionParameters = {
  project_path: z
    .string()
    .min(1)
    .max(4096)
    .optional()
    .describe('Folder of the project. Default: the one you are in.'),
  tag: z
    .string()
    .min(1)
    .max(256)
    .optional()
    .describe('Session of the project, such as server. Default: the name of the folder.'),
};

/** Deadline of calls that bound themselves, by settings that may say hours. */
export const PATIENT_MS = 2 * LONGEST_TERMINAL_WAIT_SECONDS * 1000;

/** Actions whose output is what they are asked for, whatever state the session is in. */
const READING: ReadonlySet<TerminalAction> = new Set(['read', 'screen', 'output']);

/** The answer of a command about terminals. */
export const terminalAnswerParts = {
  output: TerminalAnswer,
  outline: ({ message, sessions = [] }: TerminalAnswer) =>
    [
      message,
      ...sessions.flatMap(({ ref, tag }) => (ref === undefined ? [] : [`${ref} ${reveal(tag)}`])),
    ].join('\n'),
  text: ({ message, output, action, exit_code: exitCode }: TerminalAnswer) => {
    const isBare = exitCode !== undefined || (action !== undefined && READING.has(action));
    return isBare && output !== undefined ? output.replace(/\n$/, '') : message;
  },
  exitCode: ({ timed_out: isTimedOut }: TerminalAnswer) => (isTimedOut === true ? EXIT.TIMEOUT : EXIT.OK),
};

export interface TerminalInput {
  readonly [name: string]: unknown;
  readonly project_path?: string | undefined;
}

/** Asks for an action on the session that the input names, or on all where it names none and the action is about all. */
export function askTerminal(
  ctx: CommandContext,
  action: TerminalAction,
  { project_path: project, ...input }: TerminalInput,
): Promise<TerminalAnswer> {
  const place = project === undefined ? {} : { project_path: resolve(ctx.cwd, project) };
  return ctx.terminalCall({ action, ...place, ...input }, { dialect: 'terminal', signal: ctx.signal });
}
