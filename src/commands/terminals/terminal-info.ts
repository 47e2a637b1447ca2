import { ListRequest } from '../../model/terminals/terminal-requests.ts';
import { terminalCommand } from './terminal-command.ts';

export default terminalCommand({
  action: 'info',
  name: ['terminal', 'info'],
  kind: 'read',
  summary: 'Show the terminal settings and list the terminals.',
  description:
    'Shows which application displays terminals, how they share windows, and the default waits and line counts.',
  input: ListRequest.omit({ project_path: true }),
  examples: [
    { about: 'Settings and terminals', input: {}, format: 'outline' },
    { about: 'As data', input: {} },
  ],
});
