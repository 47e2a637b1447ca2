import { ListRequest } from '../../model/terminals/terminal-requests.ts';
import { defineCommand, onTerminals, terminalAnswerParts } from '../../registry/define.ts';

export default defineCommand({
  name: ['terminal', 'list'],
  group: 'terminals',
  kind: 'read',
  surfaces: ['cli', 'library'],
  summary: 'List terminals, newest first.',
  description: 'Of all projects unless one is given.',
  input: ListRequest,
  ...terminalAnswerParts,
  examples: [
    { about: 'All terminals', input: {}, format: 'outline' },
    { about: 'Those of this folder', input: { project_path: '.' } },
  ],
  run: onTerminals('list'),
});
