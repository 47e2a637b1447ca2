import { z } from 'zod';
import { askTerminal, defineCommand, sessionParameters, terminalAnswerParts } from '../../registry/define.ts';

export default defineCommand({
  name: ['terminal', 'send'],
  group: 'terminals',
  kind: 'admin',
  surfaces: ['cli', 'library'],
  summary: 'Type text into a terminal, or press keys in it.',
  description:
    'The text comes first, then the keys. The answer has the screen as it is then. Where a program asks for a secret nothing is sent (POLICY_DENIED): the user types it.',
  input: z.object({
    text: z.string().max(1_000_000).optional().describe('Text to type; a line feed is Enter.'),
    keys: z
      .string()
      .min(1)
      .max(4096)
      .optional()
      .describe('Keys, such as Enter, ctrl+c or "Down Down Enter".'),
    ...sessionParameters,
  }),
  positionals: ['text'],
  deadlineMs: () => 30_000,
  ...terminalAnswerParts,
  examples: [
    { about: 'Answer a question', input: { text: 'yes', keys: 'Enter' } },
    { about: 'Leave a pager', input: { keys: 'q' } },
    { about: 'Save and leave vim', input: { text: ':wq', keys: 'Enter', tag: 'editor' } },
  ],
  run: (ctx, input) => askTerminal(ctx, 'send', input),
});
