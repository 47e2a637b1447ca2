import { z } from 'zod';
import {
  askTerminal,
  defineCommand,
  PATIENT_MS,
  sessionParameters,
  terminalAnswerParts,
} from '../../registry/define.ts';

export default defineCommand({
  name: ['terminal', 'close'],
  group: 'terminals',
  kind: 'admin',
  surfaces: ['cli', 'library'],
  destructive: true,
  summary: 'End a terminal with everything that was started in it.',
  description: 'What it has shown can no longer be read afterwards.',
  input: z.object({ ...sessionParameters }),
  deadlineMs: () => PATIENT_MS,
  ...terminalAnswerParts,
  examples: [
    { about: 'End the terminal of this folder', input: {} },
    { about: 'Another session', input: { tag: 'server' } },
  ],
  run: (ctx, input) => askTerminal(ctx, 'close', input),
});
