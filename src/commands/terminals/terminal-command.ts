import { resolve } from 'node:path';
import type { z } from 'zod';
import { EXIT } from '../../model/effects/errors.ts';
import type { TerminalAction } from '../../model/terminals/terminal-action.ts';
import { TerminalAnswer } from '../../model/terminals/terminal-answer.ts';
import { LONGEST_TERMINAL_WAIT_SECONDS } from '../../model/terminals/terminal-bounds.ts';
import type { TerminalRequests } from '../../model/terminals/terminal-requests.ts';
import { pageOfTerminals } from './terminal-page.ts';
import { setApartIn } from '../../model/text/set-apart.ts';
import { reveal } from '../../model/text/untrusted-text.ts';
import { defineCommand, type CommandFacts } from '../../registry/define.ts';

/** Deadline of calls that enforce their own, from settings of up to hours. */
export const PATIENT_MS = 2 * LONGEST_TERMINAL_WAIT_SECONDS * 1000;

/** Actions whose purpose is their output, whatever the state of the session. */
const READING: ReadonlySet<TerminalAction> = new Set(['read', 'screen', 'output']);

type Facts<I extends z.ZodObject> = Omit<
  CommandFacts<I, typeof TerminalAnswer>,
  'group' | 'surfaces' | 'output' | 'outline' | 'page' | 'text' | 'exitCode' | 'run'
>;

/** A command that performs one action on terminals. Its project path is relative to the caller's folder. */
export function terminalCommand<
  A extends TerminalAction,
  I extends z.ZodObject & z.ZodType<TerminalRequests[A]>,
>({ action, ...facts }: Facts<I> & { readonly action: A; readonly kind: 'read' | 'admin' }) {
  return defineCommand({
    ...facts,
    group: 'terminals',
    surfaces: ['cli', 'library'],
    output: TerminalAnswer,
    outline: ({ message, output = '', sessions = [] }) =>
      [
        setApartIn(message, output),
        ...sessions.flatMap(({ ref, tag }) => (ref === undefined ? [] : [`${ref} ${reveal(tag)}`])),
      ].join('\n'),
    page: pageOfTerminals,
    text: ({ message, output, exit_code: exitCode }) => {
      const isBare = exitCode !== undefined || READING.has(action);
      return isBare && output !== undefined ? output.replace(/\n$/, '') : message;
    },
    exitCode: ({ timed_out: isTimedOut, lost: isLost }) => {
      if (isLost === true) return EXIT.ACTION;
      return isTimedOut === true ? EXIT.TIMEOUT : EXIT.OK;
    },
    run: async (ctx, input: TerminalRequests[A]) => {
      const { project_path: project } = input;
      const request = project === undefined ? input : { ...input, project_path: resolve(ctx.cwd, project) };
      return (await (await ctx.terminals())[action](request, { signal: ctx.signal })).answer;
    },
  });
}
