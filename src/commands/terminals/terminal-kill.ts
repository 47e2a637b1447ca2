import { KillRequest } from '../../model/terminals/terminal-requests.ts';
import { defineCommand, onTerminals, PATIENT_MS, terminalAnswerParts } from '../../registry/define.ts';

export default defineCommand({
  name: ['terminal', 'kill'],
  group: 'terminals',
  kind: 'admin',
  surfaces: ['cli', 'library'],
  destructive: true,
  summary: 'End what runs in a terminal; the terminal stays.',
  description:
    'Its processes get INT, then TERM, then KILL, with terminal.sigint_wait_seconds and terminal.sigterm_wait_seconds between, also what they have started in sessions of their own. An idle terminal is left as it is.',
  input: KillRequest.omit({ focus_default: true }),
  deadlineMs: () => PATIENT_MS,
  ...terminalAnswerParts,
  examples: [
    { about: 'End what runs in the terminal of this folder', input: {} },
    { about: 'Of another session', input: { tag: 'server' } },
  ],
  run: onTerminals('kill'),
});
