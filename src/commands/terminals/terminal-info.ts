import { ListRequest } from '../../model/terminals/terminal-requests.ts';
import { defineCommand, onTerminals, terminalAnswerParts } from '../../registry/define.ts';

export default defineCommand({
  name: ['terminal', 'info'],
  group: 'terminals',
  kind: 'read',
  surfaces: ['cli', 'library'],
  summary: 'Show the terminal settings and list the terminals.',
  description:
    'The application that shows terminals, window sharing, default waits and line counts; see docs/guides/terminals.md.',
  input: ListRequest.omit({ project_path: true }),
  ...terminalAnswerParts,
  examples: [
    { about: 'Settings and sessions', input: {}, format: 'outline' },
    { about: 'As data', input: {} },
  ],
  run: onTerminals('info'),
});
