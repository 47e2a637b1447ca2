import { z } from 'zod';
import { outlineServerAnswer, quotedServerAnswer, ServerAnswer } from '../../model/tools/server-answer.ts';
import { defineCommand, mostCharacters } from '../../registry/define.ts';

export default defineCommand({
  name: ['tools', 'result'],
  group: 'operations',
  kind: 'admin',
  isReadOnly: true,
  title: 'Read the rest of an answer',
  toolsets: ['operations'],
  summary: 'Read the rest of a long answer of a tool of another MCP server.',
  description: 'The newest long answers are kept in memory for the session that called the tool.',
  input: z.object({
    result_id: z
      .string()
      .regex(/^res-[0-9a-f]{16}$/, { error: 'is not the name of an answer such as res-0123456789abcdef' })
      .describe('Name of the answer, such as res-0123456789abcdef.'),
    cursor: z.int().min(0).default(0).describe('Where to begin: next_cursor of the part before.'),
  }),
  positionals: ['result_id', 'cursor'],
  output: ServerAnswer,
  outline: outlineServerAnswer,
  quoted: quotedServerAnswer,
  text: quotedServerAnswer,
  examples: [
    { about: 'The part after character 6000', input: { result_id: 'res-0123456789abcdef', cursor: 6000 } },
    { about: 'From the beginning', input: { result_id: 'res-0123456789abcdef' } },
  ],
  run: async (ctx, { result_id: id, cursor }) => (await ctx.servers()).more(id, cursor, mostCharacters(ctx)),
});
