import { ListRequest } from '../../model/terminals/terminal-requests.ts';
import { terminalCommand } from './terminal-command.ts';

export default terminalCommand({
  action: 'list',
  name: ['terminal', 'list'],
  kind: 'read',
  summary: 'List terminals, newest first.',
  description: 'Lists those of all projects unless one is given.',
  input: ListRequest,
  examples: [
    { about: 'All terminals', input: {}, format: 'outline' },
    { about: 'Those of this folder', input: { project_path: '.' } },
  ],
});
