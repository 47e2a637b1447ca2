import { z } from 'zod';
import { askTerminal, defineCommand, sessionParameters, terminalAnswerParts } from '../../registry/define.ts';

export default defineCommand({
  name: ['terminal', 'screen'],
  group: 'terminals',
  kind: 'read',
  surfaces: ['cli', 'library'],
  summary: 'Show the screen of a terminal: its text, cursor, title and state.',
  description:
    'For full-screen programs such as less, vim or a menu. Rows and columns count from 1; highlighted has what stands out, such as the selected line.',
  input: z.object({ ...sessionParameters }),
  ...terminalAnswerParts,
  examples: [
    { about: 'What a full-screen program shows', input: {}, format: 'text' },
    { about: 'Of another session', input: { tag: 'editor' } },
  ],
  run: (ctx, input) => askTerminal(ctx, 'screen', input),
});
