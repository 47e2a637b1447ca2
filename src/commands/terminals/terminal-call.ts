import { z } from 'zod';
import { TerminalOutcome } from '../../model/terminals/terminal-answer.ts';
import type { TerminalAction } from '../../model/terminals/terminal-action.ts';
import { TerminalCall } from '../../model/terminals/terminal-requests.ts';
import { defineCommand, type CommandContext } from '../../registry/define.ts';
import { PATIENT_MS } from './terminal-command.ts';

export default defineCommand({
  name: 'terminal-call',
  group: 'terminals',
  kind: 'admin',
  noDryRun: 'Its parameters are those of the terminal tool; the terminal commands have a dry run.',
  mcpName: 'terminal',
  title: 'Use terminals',
  destructive: true,
  surfaces: ['mcp'],
  toolsets: ['terminal'],
  summary: 'Run commands in persistent terminals, one per project and tag.',
  description:
    'Each is a real terminal with the user’s login shell: folder, variables and running programs persist between calls and outlive this program. ' +
    'A command that waits for input or does not end never blocks: the answer says what it waits for and how to continue. ' +
    'A busy terminal refuses a command unless interrupt is true. ' +
    'A password is never sent from here: the user types it (action attach). ' +
    'By default commands can do everything the user can; confined starts a terminal that the kernel restricts to the project.',
  input: z.object({
    // A union of objects; parameters need one type.
    call: TerminalCall.meta({ type: 'object' }).describe(
      'The request, as understood from the model’s input.',
    ),
    ignored: z
      .array(z.string())
      .default([])
      .describe('Parts of the call that were not understood, for the log.'),
  }),
  output: TerminalOutcome,
  examples: [
    {
      about: 'Run the tests',
      input: {
        call: {
          action: 'execute',
          request: { project_path: '/srv/app', command: 'npm test', timeout_seconds: 600 },
        },
      },
    },
    {
      about: 'Answer a question',
      input: {
        call: { action: 'send', request: { project_path: '/srv/app', text: 'y', keys: 'Enter' } },
      },
    },
  ],
  deadlineMs: () => PATIENT_MS,
  outline: ({ answer: { message } }) => message,
  run: callTerminals,
});

/** Performs a call that names its own use case. */
export async function callTerminals<A extends TerminalAction>(
  ctx: Pick<CommandContext, 'terminals' | 'signal'>,
  { call, ignored }: { readonly call: TerminalCall<A>; readonly ignored: readonly string[] },
): Promise<TerminalOutcome> {
  const { action, request } = call;
  return (await ctx.terminals())[action](request, { signal: ctx.signal, ignored });
}
