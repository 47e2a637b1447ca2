import { SessionRequest } from '../../model/terminals/terminal-requests.ts';
import { terminalCommand } from './terminal-command.ts';

export default terminalCommand({
  action: 'focus',
  name: ['terminal', 'focus'],
  kind: 'admin',
  idempotent: true,
  summary: 'Bring the window that shows a terminal to the front.',
  description: 'If no window shows it, one is opened in your terminal application.',
  input: SessionRequest,
  deadlineMs: () => 40_000,
  examples: [
    { about: 'The terminal of this folder', input: {} },
    { about: 'Another terminal of this folder', input: { tag: 'server' } },
  ],
});
