import { SessionRequest } from '../../model/terminals/terminal-requests.ts';
import { terminalCommand } from './terminal-command.ts';

export default terminalCommand({
  action: 'attach',
  name: ['terminal', 'open'],
  kind: 'admin',
  idempotent: true,
  summary: 'Show a terminal in a window of your terminal application.',
  description:
    'The focus does not move. The setting terminal.app chooses the application, terminal.window_grouping whether windows are shared. Does nothing if the terminal is already shown.',
  input: SessionRequest,
  deadlineMs: () => 40_000,
  examples: [
    { about: 'The terminal of this folder', input: {} },
    { about: 'Another terminal of this folder', input: { tag: 'server' } },
  ],
});
