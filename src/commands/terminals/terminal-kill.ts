import { KillRequest } from '../../model/terminals/terminal-requests.ts';
import { PATIENT_MS, terminalCommand } from './terminal-command.ts';

export default terminalCommand({
  action: 'kill',
  name: ['terminal', 'kill'],
  kind: 'admin',
  destructive: true,
  summary: 'End the running command of a terminal; the terminal remains.',
  description:
    'Its processes, including those with their own POSIX session, receive INT, after terminal.sigint_wait_seconds TERM, and after terminal.sigterm_wait_seconds KILL. Does nothing in an idle terminal.',
  input: KillRequest.omit({ focus_default: true }),
  deadlineMs: () => PATIENT_MS,
  examples: [
    { about: 'In the terminal of this folder', input: {} },
    { about: 'In another terminal', input: { tag: 'server' } },
  ],
});
