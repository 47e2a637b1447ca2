import { z } from 'zod';
import { MOST_TERMINAL_LINES } from '../../model/terminals/terminal-bounds.ts';
import { askTerminal, defineCommand, sessionParameters, terminalAnswerParts } from '../../registry/define.ts';

export default defineCommand({
  name: ['terminal', 'read'],
  group: 'terminals',
  kind: 'read',
  surfaces: ['cli', 'library'],
  summary: 'Read the last lines that a terminal shows.',
  description:
    'With what is above the screen. state says whether it is idle, running, or waits for a line or a secret. What a command wrote in all is read with terminal output.',
  input: z.object({
    lines: z.int().min(0).max(MOST_TERMINAL_LINES).optional().describe('Most lines. Default: 100.'),
    ...sessionParameters,
  }),
  ...terminalAnswerParts,
  examples: [
    { about: 'What the terminal of this folder shows', input: {}, format: 'text' },
    { about: 'The end of a server’s output', input: { tag: 'server', lines: 20 } },
  ],
  run: (ctx, input) => askTerminal(ctx, 'read', input),
});
