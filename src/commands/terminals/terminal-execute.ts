import { z } from 'zod';
import { LONGEST_TERMINAL_WAIT_SECONDS, MOST_TERMINAL_LINES } from '../../model/terminals/terminal-bounds.ts';
import {
  askTerminal,
  defineCommand,
  flag,
  PATIENT_MS,
  sessionParameters,
  terminalAnswerParts,
} from '../../registry/define.ts';

export default defineCommand({
  name: ['terminal', 'execute'],
  group: 'terminals',
  kind: 'admin',
  surfaces: ['cli', 'library'],
  destructive: true,
  summary: 'Run a command in a terminal that stays.',
  description:
    'The terminal of the project and tag is made where there is none; folder, variables and what runs in it are kept. A command that stands still for input, or takes longer than the timeout (exit code 7), goes on, and the answer says how to go on with it. A terminal in which something runs refuses another command (TERMINAL_BUSY) unless --interrupt is given. Without a command the session is made ready. The exit code of the command is in the answer as exit_code.',
  input: z.object({
    command: z.string().max(1_000_000).default('').describe('What the shell runs, such as "npm test".'),
    background: z.boolean().optional().describe('Answer with the first output and leave it running.'),
    interrupt: flag('End first what runs there: INT, TERM, KILL.'),
    clear: flag('Empty the screen first.'),
    confined: flag('Keep a new session to the project: no network, and nothing else is read or written.'),
    lines: z
      .int()
      .min(0)
      .max(MOST_TERMINAL_LINES)
      .optional()
      .describe('Most lines of output, the last ones. Default: 100.'),
    timeout_seconds: z
      .int()
      .min(1)
      .max(LONGEST_TERMINAL_WAIT_SECONDS)
      .optional()
      .describe(
        'How long to wait for the end, or in the background for the first output. Default: 60, or 5.',
      ),
    focus: z.boolean().optional().describe('Bring the window that shows it to the front.'),
    columns: z.int().min(2).max(1000).optional().describe('Width of a new session. Default: 120.'),
    rows: z.int().min(1).max(1000).optional().describe('Height of a new session. Default: 40.'),
    ...sessionParameters,
  }),
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
  run: (ctx, { timeout_seconds: timeout, ...input }) => askTerminal(ctx, 'execute', { ...input, timeout }),
});
