import { SessionRequest } from '../../model/terminals/terminal-requests.ts';
import { defineCommand, onTerminals, terminalAnswerParts } from '../../registry/define.ts';

export default defineCommand({
  name: ['terminal', 'focus'],
  group: 'terminals',
  kind: 'admin',
  surfaces: ['cli', 'library'],
  idempotent: true,
  summary: 'Bring the window that shows a terminal to the front.',
  description: 'Where nothing shows it, a window of your terminal application is opened for it.',
  input: SessionRequest,
  deadlineMs: () => 40_000,
  ...terminalAnswerParts,
  examples: [
    { about: 'The terminal of this folder', input: {} },
    { about: 'Another one of this folder', input: { tag: 'server' } },
  ],
  run: onTerminals('focus'),
});
