import { SessionRequest } from '../../model/terminals/terminal-requests.ts';
import { PATIENT_MS, terminalCommand } from './terminal-command.ts';

export default terminalCommand({
  action: 'close',
  name: ['terminal', 'close'],
  kind: 'admin',
  destructive: true,
  summary: 'End a terminal and everything started in it.',
  description: 'Its output can no longer be read afterwards.',
  input: SessionRequest,
  deadlineMs: () => PATIENT_MS,
  examples: [
    { about: 'End the terminal of this folder', input: {} },
    { about: 'Another terminal', input: { tag: 'server' } },
  ],
});
