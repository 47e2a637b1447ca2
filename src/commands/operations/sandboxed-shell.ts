import { mentionCommand } from '../../model/text/mention.ts';
import { z } from 'zod';
import { USUAL_RUN_SECONDS } from '../../model/tools/run-seconds.ts';
import {
  defineCommand,
  flag,
  plainSandbox,
  runAnswerParts,
  runDeadlineMs,
  runMetaParameters,
  runOperation,
  workingFolder,
} from '../../registry/define.ts';

export default defineCommand({
  name: 'sandboxed-shell',
  group: 'operations',
  kind: 'admin',
  longRunning: 'operation',
  title: 'Run a shell command',
  destructive: true,
  toolsets: ['operations'],
  summary: 'Run a shell command that the kernel confines to one folder.',
  description:
    'It can read and write that folder and read the system’s programs, but reach neither the network nor other processes. ' +
    `A command that ends within seconds returns its output; a longer one continues as an operation: use ${mentionCommand('operation await')}.`,
  input: z.object({
    command: z
      .string()
      .min(1)
      .max(100_000)
      .describe('Command line for bash, such as "npm test 2>&1 | tail -20".'),
    ...runMetaParameters,
    timeout_seconds: runMetaParameters.timeout_seconds
      .unwrap()
      .default(USUAL_RUN_SECONDS)
      .describe('Time limit, after which the command is ended.'),
    separate: flag('Keep standard output and standard error in separate streams.'),
    deny_report: flag('Record each access that the sandbox denies; slower.'),
  }),
  positionals: ['command'],
  ...runAnswerParts,
  examples: [
    { about: 'Run the tests of the project in this folder', input: { command: 'npm test' } },
    {
      about: 'Wait for the end, however long it takes',
      input: { command: 'make -j2', execution_mode: 'sync', timeout_seconds: 3600 },
    },
  ],
  deadlineMs: ({ timeout_seconds: seconds }) => runDeadlineMs(seconds),
  run: async (ctx, input) => {
    const { scope } = await ctx.runs();
    return runOperation(
      ctx,
      {
        tool: 'sandboxed_shell',
        steps: [
          {
            command: ['bash', '-c', input.command],
            cwd: await workingFolder(ctx, scope, input.working_directory),
            delayMs: 0,
            sandbox: { ...plainSandbox(scope), denyReport: input.deny_report },
          },
        ],
        timeoutMs: input.timeout_seconds * 1000,
        output: input.separate ? 'separate' : 'merged',
      },
      { isSynchronous: input.execution_mode === 'sync' },
    );
  },
});
