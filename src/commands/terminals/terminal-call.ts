import { z } from 'zod';
import { TerminalOutcome } from '../../model/terminals/terminal-answer.ts';
import { TerminalCall } from '../../model/terminals/terminal-requests.ts';
import { callTerminals, defineCommand, PATIENT_MS } from '../../registry/define.ts';

export default defineCommand({
  name: 'terminal-call',
  group: 'terminals',
  kind: 'admin',
  mcpName: 'terminal',
  title: 'Use terminals',
  destructive: true,
  surfaces: ['mcp'],
  toolsets: ['terminal'],
  summary: 'Run commands in terminals that stay, one for each project and tag.',
  description:
    'A session is a real terminal with the user’s login shell: folder, variables and what runs in it are kept between calls, and outlive this program. ' +
    'A command that waits for input or does not end never blocks: the answer says what it waits for and how to go on. ' +
    'A busy session refuses a command unless interrupt is true. ' +
    'A password is never sent from here: the user types it (action attach). ' +
    'By default commands can do everything the user can; confined starts a session that the kernel keeps to the project.',
  input: z.object({
    // As a parameter each of them is an object.
    call: TerminalCall.meta({ type: 'object' }).describe(
      'What is asked, as a model’s words were understood.',
    ),
    ignored: z.array(z.string()).default([]).describe('What of the call was not understood, for the log.'),
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
