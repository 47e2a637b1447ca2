import { z } from 'zod';
import {
  askTerminal,
  defineCommand,
  flag,
  PATIENT_MS,
  sessionParameters,
  terminalAnswerParts,
} from '../../registry/define.ts';

export default defineCommand({
  name: ['terminal', 'kill'],
  group: 'terminals',
  kind: 'admin',
  surfaces: ['cli', 'library'],
  destructive: true,
  summary: 'End what runs in a terminal; the terminal stays.',
  description:
    'Its processes get INT, then TERM, then KILL, with terminal.sigint_wait_seconds and terminal.sigterm_wait_seconds between, also what they have started in sessions of their own. An idle terminal is left as it is.',
  input: z.object({
    clear: flag('Empty the screen afterwards.'),
    focus: z.boolean().optional().describe('Bring the window that shows it to the front.'),
    ...sessionParameters,
  }),
  deadlineMs: () => PATIENT_MS,
  ...terminalAnswerParts,
  examples: [
    { about: 'End what runs in the terminal of this folder', input: {} },
    { about: 'Of another session', input: { tag: 'server' } },
  ],
  run: (ctx, input) => askTerminal(ctx, 'kill', input),
});
