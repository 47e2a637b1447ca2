import { z } from 'zod';
import { TerminalAnswer } from '../../model/terminals/terminal-answer.ts';
import { TERMINAL_DESCRIPTION, TERMINAL_SUMMARY } from '../../model/terminals/terminal-tool.ts';
import { defineCommand, PATIENT_MS } from '../../registry/define.ts';

export default defineCommand({
  name: 'terminal-call',
  group: 'terminals',
  kind: 'admin',
  mcpName: 'terminal',
  title: 'Use terminals',
  destructive: true,
  surfaces: ['mcp'],
  toolsets: ['terminal'],
  summary: TERMINAL_SUMMARY,
  description: TERMINAL_DESCRIPTION,
  input: z.object({
    dialect: z.enum(['terminal', 'terminator']).default('terminal').describe('Whose words are spoken.'),
    given: z
      .record(z.string(), z.unknown())
      .describe(
        'Names and values as a model has given them: others than the documented ones are understood too.',
      ),
  }),
  output: TerminalAnswer,
  examples: [
    {
      about: 'Run the tests',
      input: { given: { project_path: '/srv/app', command: 'npm test', timeout: 600 } },
    },
    {
      about: 'Answer a question',
      input: { given: { action: 'send', project_path: '/srv/app', text: 'y', keys: 'Enter' } },
    },
  ],
  deadlineMs: () => PATIENT_MS,
  outline: ({ message }) => message,
  run: (ctx, { dialect, given }) => ctx.terminalCall(given, { dialect, signal: ctx.signal }),
});
