import { mentionKey, mentionParameter } from '../../model/text/mention.ts';
import { ExecuteRequest } from '../../model/terminals/terminal-requests.ts';
import { defineCommand, onTerminals, PATIENT_MS, terminalAnswerParts } from '../../registry/define.ts';

export default defineCommand({
  name: ['terminal', 'execute'],
  group: 'terminals',
  kind: 'admin',
  surfaces: ['cli', 'library'],
  destructive: true,
  summary: 'Run a command in a terminal that stays.',
  description: `The terminal of the project and tag is made where there is none; folder, variables and what runs in it are kept. A command that stands still for input, or takes longer than the timeout (exit code 7), goes on, and the answer says how to go on with it. A terminal in which something runs refuses another command (TERMINAL_BUSY) unless ${mentionParameter('interrupt')} is given. Without a command the session is made ready. The exit code of the command is in the answer as ${mentionKey('exit_code')}.`,
  input: ExecuteRequest.omit({ focus_default: true }),
  positionals: ['command'],
  deadlineMs: () => PATIENT_MS,
  ...terminalAnswerParts,
  examples: [
    {
      about: 'Run the tests of the project in this folder',
      input: { command: 'npm test', timeout_seconds: 600 },
    },
    {
      about: 'Start a server beside it, and go on',
      input: { command: 'npm run dev', tag: 'server', background: true },
    },
    {
      about: 'Run it anew',
      input: { command: 'npm run dev', tag: 'server', background: true, interrupt: true },
    },
    { about: 'Only what it prints', input: { command: 'git status' }, format: 'text' },
  ],
  run: onTerminals('execute'),
});
