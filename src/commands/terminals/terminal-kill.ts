import { KillRequest } from '../../model/terminals/terminal-requests.ts';
import { PATIENT_MS, terminalCommand } from './terminal-command.ts';

export default terminalCommand({
  action: 'kill',
  name: ['terminal', 'kill'],
  kind: 'admin',
  destructive: true,
  summary: 'End the running command of a terminal; the terminal remains.',
  description:
    'Its processes receive INT, then TERM, then KILL, after terminal.sigint_wait_seconds and terminal.sigterm_wait_seconds, including those that started their own POSIX session. Does nothing in an idle terminal.',
  input: KillRequest.omit({ focus_default: true }),
  deadlineMs: () => PATIENT_MS,
  examples: [
    { about: 'In the terminal of this folder', input: {} },
    { about: 'In another terminal', input: { tag: 'server' } },
  ],
});
