import { z } from 'zod';
import { askTerminal, defineCommand, sessionParameters, terminalAnswerParts } from '../../registry/define.ts';

export default defineCommand({
  name: ['terminal', 'resize'],
  group: 'terminals',
  kind: 'admin',
  surfaces: ['cli', 'library'],
  idempotent: true,
  summary: 'Change the size of a terminal.',
  description: 'Programs in it are told. What is not given stays as it is.',
  input: z.object({
    columns: z.int().min(2).max(1000).optional().describe('Width in characters.'),
    rows: z.int().min(1).max(1000).optional().describe('Height in lines.'),
    ...sessionParameters,
  }),
  ...terminalAnswerParts,
  examples: [
    { about: 'Wide enough for a table', input: { columns: 200, rows: 50 } },
    { about: 'Higher', input: { rows: 100 } },
  ],
  run: (ctx, input) => askTerminal(ctx, 'resize', input),
});
