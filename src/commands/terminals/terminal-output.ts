import { mentionKey } from '../../model/text/mention.ts';
import { z } from 'zod';
import { MOST_TERMINAL_LINES } from '../../model/terminals/terminal-bounds.ts';
import { OutputRequest } from '../../model/terminals/terminal-requests.ts';
import { defineCommand, onTerminals, terminalAnswerParts } from '../../registry/define.ts';

export default defineCommand({
  name: ['terminal', 'output'],
  group: 'terminals',
  kind: 'read',
  surfaces: ['cli', 'library'],
  summary: 'Read what a terminal has shown since it began.',
  description: `It is kept on the disk. Without a choice: its errors first, then its end; otherwise one of cursor, lines or pattern. What is longer than ${mentionKey('max_tokens')} is cut, and ${mentionKey('left_out')} says what and how to get it.`,
  input: OutputRequest.extend({
    lines: z.int().min(1).max(MOST_TERMINAL_LINES).optional().describe('The last lines.'),
  }),
  ...terminalAnswerParts,
  examples: [
    { about: 'The errors and the end', input: {}, format: 'text' },
    { about: 'What has come since', input: { tag: 'server', cursor: 4096 } },
    { about: 'Every warning', input: { pattern: 'warning', ignore_case: true } },
  ],
  run: onTerminals('output'),
});
