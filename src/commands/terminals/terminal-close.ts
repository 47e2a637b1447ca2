import { SessionRequest } from '../../model/terminals/terminal-requests.ts';
import { defineCommand, onTerminals, PATIENT_MS, terminalAnswerParts } from '../../registry/define.ts';

export default defineCommand({
  name: ['terminal', 'close'],
  group: 'terminals',
  kind: 'admin',
  surfaces: ['cli', 'library'],
  destructive: true,
  summary: 'End a terminal and everything started in it.',
  description: 'Its output can no longer be read afterwards.',
  input: SessionRequest,
  deadlineMs: () => PATIENT_MS,
  ...terminalAnswerParts,
  examples: [
    { about: 'End the terminal of this folder', input: {} },
    { about: 'Another session', input: { tag: 'server' } },
  ],
  run: onTerminals('close'),
});
