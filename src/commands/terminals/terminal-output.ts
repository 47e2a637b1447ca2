import { z } from 'zod';
import { MOST_TERMINAL_LINES } from '../../model/terminals/terminal-bounds.ts';
import {
  askTerminal,
  defineCommand,
  flag,
  sessionParameters,
  terminalAnswerParts,
} from '../../registry/define.ts';

export default defineCommand({
  name: ['terminal', 'output'],
  group: 'terminals',
  kind: 'read',
  surfaces: ['cli', 'library'],
  summary: 'Read what a terminal has shown since it began.',
  description:
    'It is kept on the disk. Without a choice: its errors first, then its end; otherwise one of cursor, lines or pattern. What is longer than max_tokens is cut, and left_out says what and how to get it.',
  input: z.object({
    cursor: z
      .int()
      .min(0)
      .optional()
      .describe('Everything from this byte on; next_cursor of an earlier answer.'),
    lines: z.int().min(1).max(MOST_TERMINAL_LINES).optional().describe('The last lines.'),
    pattern: z.string().min(1).max(1000).optional().describe('Lines that match this regular expression.'),
    ignore_case: flag('Match the pattern whatever the case.'),
    max_tokens: z.int().min(100).max(50_000).default(4000).describe('Never answer with more.'),
    ...sessionParameters,
  }),
  ...terminalAnswerParts,
  examples: [
    { about: 'The errors and the end', input: {}, format: 'text' },
    { about: 'What has come since', input: { tag: 'server', cursor: 4096 } },
    { about: 'Every warning', input: { pattern: 'warning', ignore_case: true } },
  ],
  run: (ctx, input) => askTerminal(ctx, 'output', input),
});
