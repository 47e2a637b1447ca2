import { SessionRequest } from '../../model/terminals/terminal-requests.ts';
import { defineCommand, onTerminals, terminalAnswerParts } from '../../registry/define.ts';

export default defineCommand({
  name: ['terminal', 'open'],
  group: 'terminals',
  kind: 'admin',
  surfaces: ['cli', 'library'],
  idempotent: true,
  summary: 'Open a window of your terminal application that shows a terminal.',
  description:
    'The focus stays where it is. Which application is the setting terminal.app, whether windows are shared is terminal.window_grouping. One that is shown already stays where it is.',
  input: SessionRequest,
  deadlineMs: () => 40_000,
  ...terminalAnswerParts,
  examples: [
    { about: 'The terminal of this folder', input: {} },
    { about: 'Another one of this folder', input: { tag: 'server' } },
  ],
  run: onTerminals('attach'),
});
