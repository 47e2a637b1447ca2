import { mentionKey } from '../../model/text/mention.ts';
import { z } from 'zod';
import { MOST_TERMINAL_LINES } from '../../model/terminals/terminal-bounds.ts';
import { OutputRequest } from '../../model/terminals/terminal-requests.ts';
import { terminalCommand } from './terminal-command.ts';

export default terminalCommand({
  action: 'output',
  name: ['terminal', 'output'],
  kind: 'read',
  summary: 'Read the output of a terminal since it started.',
  description: `The output is stored on disk. Default: the errors, then the end; otherwise give one of cursor, head, lines or pattern. Output longer than ${mentionKey('max_tokens')} is cut, and ${mentionKey('left_out')} says what is missing and how to get it.`,
  input: OutputRequest.extend({
    lines: z.int().min(1).max(MOST_TERMINAL_LINES).optional().describe('The last lines.'),
  }),
  examples: [
    { about: 'The errors and the end', input: {}, format: 'text' },
    { about: 'New output since then', input: { tag: 'server', cursor: 4096 } },
    { about: 'How the output from there on began', input: { cursor: 4096, head: 40 } },
    { about: 'The exact bytes, with characters that answers escape', input: { cursor: 0, raw: true } },
    { about: 'Every warning', input: { pattern: 'warning', ignore_case: true } },
  ],
});
