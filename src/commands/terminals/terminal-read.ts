import { ReadRequest } from '../../model/terminals/terminal-requests.ts';
import { defineCommand, onTerminals, terminalAnswerParts } from '../../registry/define.ts';

export default defineCommand({
  name: ['terminal', 'read'],
  group: 'terminals',
  kind: 'read',
  surfaces: ['cli', 'library'],
  summary: 'Read the last lines that a terminal shows.',
  description:
    'With what is above the screen. state says whether it is idle, running, or waits for a line or a secret. What a command wrote in all is read with terminal output.',
  input: ReadRequest.omit({ focus: true, focus_default: true }),
  ...terminalAnswerParts,
  examples: [
    { about: 'What the terminal of this folder shows', input: {}, format: 'text' },
    { about: 'The end of a server’s output', input: { tag: 'server', lines: 20 } },
  ],
  run: onTerminals('read'),
});
