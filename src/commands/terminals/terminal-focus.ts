import { SessionRequest } from '../../model/terminals/terminal-requests.ts';
import { defineCommand, onTerminals, terminalAnswerParts } from '../../registry/define.ts';

export default defineCommand({
  name: ['terminal', 'focus'],
  group: 'terminals',
  kind: 'admin',
  surfaces: ['cli', 'library'],
  idempotent: true,
  summary: 'Bring the window that shows a terminal to the front.',
  description: 'If no window shows it, one is opened in your terminal application.',
  input: SessionRequest,
  deadlineMs: () => 40_000,
  ...terminalAnswerParts,
  examples: [
    { about: 'The terminal of this folder', input: {} },
    { about: 'Another terminal of this folder', input: { tag: 'server' } },
  ],
  run: onTerminals('focus'),
});
