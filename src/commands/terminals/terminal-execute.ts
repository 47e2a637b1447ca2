import { mentionKey, mentionParameter } from '../../model/text/mention.ts';
import { ExecuteRequest } from '../../model/terminals/terminal-requests.ts';
import { PATIENT_MS, terminalCommand } from './terminal-command.ts';

export default terminalCommand({
  action: 'execute',
  name: ['terminal', 'execute'],
  kind: 'admin',
  destructive: true,
  summary: 'Run a command in a persistent terminal.',
  description: `Creates the terminal of the project and tag if there is none; folder, variables and running programs persist. A command that waits for input or exceeds the timeout (exit code 7) keeps running, and the answer says how to continue. A busy terminal refuses another command (TERMINAL_BUSY) unless ${mentionParameter('interrupt')} is given. Without a command it only creates the terminal. ${mentionKey('exit_code')} is the exit code of the command.`,
  input: ExecuteRequest.omit({ focus_default: true }),
  positionals: ['command'],
  deadlineMs: () => PATIENT_MS,
  examples: [
    {
      about: 'Run the tests of the project in this folder',
      input: { command: 'npm test', timeout_seconds: 600 },
    },
    {
      about: 'Start a server in the background',
      input: { command: 'npm run dev', tag: 'server', background: true },
    },
    {
      about: 'Restart it',
      input: { command: 'npm run dev', tag: 'server', background: true, interrupt: true },
    },
    { about: 'Only its output', input: { command: 'git status' }, format: 'text' },
  ],
});
