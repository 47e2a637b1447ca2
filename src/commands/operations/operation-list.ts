import { z } from 'zod';
import { CHECK } from '../../model/tools/operation.ts';
import { OperationSummary, outlineOperation } from '../../model/tools/operation-answer.ts';
import { defineCommand, flag, summarize } from '../../registry/define.ts';

export default defineCommand({
  name: ['operation', 'list'],
  group: 'operations',
  kind: 'read',
  toolsets: ['operations'],
  summary: 'List operations, newest first.',
  input: z.object({
    running: flag('Only those still running.'),
    mine: flag('Only those of this session.'),
    limit: z.int().min(1).max(1000).default(20).describe('Maximum number of operations.'),
  }),
  output: z.object({
    operations: z.array(OperationSummary),
    more: z.int().optional().describe('Number of older operations not listed.'),
  }),
  examples: [
    { about: 'What is running now', input: { running: true }, format: 'outline' },
    { about: 'The latest operations of this session', input: { mine: true, limit: 5 } },
  ],
  outline: ({ operations, more = 0 }) =>
    [
      ...(operations.length === 0 ? ['no operations'] : operations.map((one) => outlineOperation(one))),
      ...(more === 0 ? [] : [`and ${more} older`]),
    ].join('\n'),
  run: async (ctx, { running, mine, limit }) => {
    const operations = await ctx.operations();
    const all = await operations.list({
      ...(running ? { running } : {}),
      ...(mine ? { session: ctx.session } : {}),
    });
    const views = all.filter(({ tool }) => tool !== CHECK);
    const more = views.length - limit;
    return {
      operations: views.slice(0, limit).map((view) => summarize(view)),
      ...(more > 0 ? { more } : {}),
    };
  },
});
