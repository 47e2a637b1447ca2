import { z } from 'zod';
import { OperationSummary, outlineOperation } from '../../model/tools/operation-answer.ts';
import { defineCommand, OfAllProjects, OperationId, summarize, timeout } from '../../registry/define.ts';

export default defineCommand({
  name: ['operation', 'cancel'],
  group: 'operations',
  kind: 'admin',
  idempotent: true,
  destructive: true,
  toolsets: ['operations'],
  peopleOnly: 'all',
  summary: 'End an operation and everything it has started.',
  description:
    'Its processes, including those that started their own POSIX session, receive INT, then TERM, then KILL. Does nothing if the operation has ended. The output is kept.',
  input: z.object({ operation_id: OperationId, all: OfAllProjects, timeout_ms: timeout(30_000) }),
  positionals: ['operation_id'],
  output: OperationSummary,
  examples: [
    { about: 'End a build', input: { operation_id: 'op-k3f7x2' } },
    { about: 'End it and see the result', input: { operation_id: 'op-k3f7x2' }, format: 'outline' },
  ],
  outline: outlineOperation,
  run: async (ctx, { operation_id: id, all }) => {
    const operations = await ctx.operations(all ? 'all' : 'project');
    return summarize(await operations.cancel(id));
  },
});
