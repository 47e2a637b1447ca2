import { SessionRequest } from '../../model/terminals/terminal-requests.ts';
import { defineCommand, onTerminals, terminalAnswerParts } from '../../registry/define.ts';

export default defineCommand({
  name: ['terminal', 'open'],
  group: 'terminals',
  kind: 'admin',
  surfaces: ['cli', 'library'],
  idempotent: true,
  summary: 'Show a terminal in a window of your terminal application.',
  description:
    'The focus does not move. The setting terminal.app chooses the application, terminal.window_grouping whether windows are shared. Does nothing if it is already shown.',
  input: SessionRequest,
  deadlineMs: () => 40_000,
  ...terminalAnswerParts,
  examples: [
    { about: 'The terminal of this folder', input: {} },
    { about: 'Another terminal of this folder', input: { tag: 'server' } },
  ],
  run: onTerminals('attach'),
});
