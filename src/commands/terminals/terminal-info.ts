import { z } from 'zod';
import { askTerminal, defineCommand, terminalAnswerParts } from '../../registry/define.ts';

export default defineCommand({
  name: ['terminal', 'info'],
  group: 'terminals',
  kind: 'read',
  surfaces: ['cli', 'library'],
  summary: 'Tell the settings of terminals, and which terminals there are.',
  description:
    'The application that shows terminals, how windows are shared, default waits and lines; see docs/guides/terminals.md.',
  input: z.object({}),
  ...terminalAnswerParts,
  examples: [
    { about: 'Settings and sessions', input: {}, format: 'outline' },
    { about: 'As data', input: {} },
  ],
  run: (ctx, input) => askTerminal(ctx, 'info', input),
});
