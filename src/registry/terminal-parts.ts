import { resolve } from 'node:path';
import { EXIT } from '../model/effects/errors.ts';
import type { TerminalAction } from '../model/terminals/terminal-action.ts';
import { TerminalAnswer } from '../model/terminals/terminal-answer.ts';
import type { TerminalOutcome } from '../model/terminals/terminal-answer.ts';
import { LONGEST_TERMINAL_WAIT_SECONDS } from '../model/terminals/terminal-bounds.ts';
import type { TerminalCall, TerminalRequests } from '../model/terminals/terminal-requests.ts';
import { reveal } from '../model/text/untrusted-text.ts';
import type { CommandContext } from './definition.ts';

/** Deadline of calls that enforce their own, from settings of up to hours. */
export const PATIENT_MS = 2 * LONGEST_TERMINAL_WAIT_SECONDS * 1000;

/** Actions whose purpose is their output, whatever the state of the session. */
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

/** Runs a command by the use case of this action; the project path is relative to the caller's folder. */
export function onTerminals<A extends TerminalAction>(action: A) {
  return async (ctx: CommandContext, input: TerminalRequests[A]): Promise<TerminalAnswer> => {
    const { project_path: project } = input;
    const request = project === undefined ? input : { ...input, project_path: resolve(ctx.cwd, project) };
    const { answer } = await (await ctx.terminals())[action](request, { signal: ctx.signal });
    return answer;
  };
}

/** Performs a call that names its own use case. */
export async function callTerminals<A extends TerminalAction>(
  ctx: Pick<CommandContext, 'terminals' | 'signal'>,
  { call, ignored }: { readonly call: TerminalCall<A>; readonly ignored: readonly string[] },
): Promise<TerminalOutcome> {
  const { action, request } = call;
  return (await ctx.terminals())[action](request, { signal: ctx.signal, ignored });
}
