import { ListRequest } from '../../model/terminals/terminal-requests.ts';
import { defineCommand, onTerminals, terminalAnswerParts } from '../../registry/define.ts';

export default defineCommand({
  name: ['terminal', 'list'],
  group: 'terminals',
  kind: 'read',
  surfaces: ['cli', 'library'],
  summary: 'List the terminals there are, the newest first.',
  description: 'Of all projects unless one is named.',
  input: ListRequest,
  ...terminalAnswerParts,
  examples: [
    { about: 'All of them', input: {}, format: 'outline' },
    { about: 'Those of this folder', input: { project_path: '.' } },
  ],
  run: onTerminals('list'),
});
