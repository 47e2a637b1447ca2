import { ResizeRequest } from '../../model/terminals/terminal-requests.ts';
import { terminalCommand } from './terminal-command.ts';

export default terminalCommand({
  action: 'resize',
  name: ['terminal', 'resize'],
  kind: 'admin',
  idempotent: true,
  summary: 'Change the size of a terminal.',
  description: 'Programs in it are notified. A dimension not given stays the same.',
  input: ResizeRequest,
  examples: [
    { about: 'Wide enough for a table', input: { columns: 200, rows: 50 } },
    { about: 'Taller', input: { rows: 100 } },
  ],
});
