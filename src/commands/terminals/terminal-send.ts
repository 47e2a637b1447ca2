import { SendRequest } from '../../model/terminals/terminal-requests.ts';
import { terminalCommand } from './terminal-command.ts';

export default terminalCommand({
  action: 'send',
  name: ['terminal', 'send'],
  kind: 'admin',
  summary: 'Type text or press keys in a terminal.',
  description:
    'Sends the text, then the keys, and returns the screen afterwards. If a program asks for a secret, nothing is sent (POLICY_DENIED): the user types it.',
  input: SendRequest.omit({ lines: true }),
  positionals: ['text'],
  deadlineMs: () => 30_000,
  examples: [
    { about: 'Answer a question', input: { text: 'yes', keys: 'Enter' } },
    { about: 'Leave a pager', input: { keys: 'q' } },
    { about: 'Save and leave vim', input: { text: ':wq', keys: 'Enter', tag: 'editor' } },
  ],
});
