import { SessionRequest } from '../../model/terminals/terminal-requests.ts';
import { terminalCommand } from './terminal-command.ts';

export default terminalCommand({
  action: 'screen',
  name: ['terminal', 'screen'],
  kind: 'read',
  summary: 'Show the screen of a terminal: its text, cursor, title and state.',
  description:
    'For full-screen programs such as less, vim or a menu. Rows and columns count from 1; "highlighted" lists emphasized text, such as the selected line.',
  input: SessionRequest,
  examples: [
    { about: 'What a full-screen program shows', input: {}, format: 'text' },
    { about: 'Another terminal', input: { tag: 'editor' } },
  ],
});
