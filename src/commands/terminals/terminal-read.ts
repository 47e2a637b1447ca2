import { mentionCommand } from '../../model/text/mention.ts';
import { ReadRequest } from '../../model/terminals/terminal-requests.ts';
import { terminalCommand } from './terminal-command.ts';

export default terminalCommand({
  action: 'read',
  name: ['terminal', 'read'],
  kind: 'read',
  summary: 'Read the last lines of a terminal.',
  description: `Includes lines scrolled off the screen. "state" says whether it is idle, running, or waiting for a line or a secret. For the whole output of a command use ${mentionCommand('terminal output')}.`,
  input: ReadRequest.omit({ focus: true, focus_default: true }),
  examples: [
    { about: 'The terminal of this folder', input: {}, format: 'text' },
    { about: 'The end of a server’s output', input: { tag: 'server', lines: 20 } },
  ],
});
