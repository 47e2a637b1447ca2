import { z } from 'zod';
import { askTerminal, defineCommand, terminalAnswerParts } from '../../registry/define.ts';

export default defineCommand({
  name: ['terminal', 'list'],
  group: 'terminals',
  kind: 'read',
  surfaces: ['cli', 'library'],
  summary: 'List the terminals there are, the newest first.',
  description: 'Of all projects unless one is named.',
  input: z.object({
    project_path: z.string().min(1).max(4096).optional().describe('Only those of this project.'),
  }),
  ...terminalAnswerParts,
  examples: [
    { about: 'All of them', input: {}, format: 'outline' },
    { about: 'Those of this folder', input: { project_path: '.' } },
  ],
  run: (ctx, input) => askTerminal(ctx, 'list', input),
});
