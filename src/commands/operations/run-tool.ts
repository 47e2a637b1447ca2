import { mentionCommand, mentionKey } from '../../model/text/mention.ts';
import { z } from 'zod';
import { LONGEST_RUN_SECONDS } from '../../model/tools/run-seconds.ts';
import { OperationAnswer } from '../../model/tools/operation-answer.ts';
import { defineCommand, runAnswerParts, runDeadlineMs } from '../../registry/define.ts';

export default defineCommand({
  name: 'run-tool',
  group: 'operations',
  kind: 'admin',
  longRunning: 'operation',
  title: 'Run a command-line tool',
  destructive: true,
  toolsets: ['operations'],
  summary: 'Run a tool of a tool file by its name.',
  description:
    `For tools missing from the client’s tool list, such as those shipped with Deskterity; ${mentionCommand('tools list')} lists them all and, given a name, describes its parameters. The kernel confines the tool as its tool file declares. ` +
    'A command that ends within seconds returns its output; a longer one continues as an operation.',
  input: z.object({
    tool: z.string().min(1).max(64).describe('Name, such as git_status.'),
    args: z
      .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]))
      .default({})
      .describe(
        `Arguments of the tool by name, such as {"max_count": 5}; also ${mentionKey('working_directory')}, ${mentionKey('execution_mode')} and ${mentionKey('timeout_seconds')}.`,
      ),
  }),
  positionals: ['tool', 'args'],
  ...runAnswerParts,
  examples: [
    { about: 'The state of the repository in this folder', input: { tool: 'git_status' } },
    { about: 'With arguments', input: { tool: 'git_log', args: { max_count: 5, oneline: true } } },
  ],
  // The tool has its own deadline.
  deadlineMs: () => runDeadlineMs(LONGEST_RUN_SECONDS),
  run: async (ctx, input) => OperationAnswer.parse(await ctx.callTool(input.tool, input.args)),
});
