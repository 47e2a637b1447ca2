import { z } from 'zod';
import { OperationAnswer, outlineOperationAnswer } from '../../model/tools/operation-answer.ts';
import { answerOf, defineCommand, OfAllProjects, OperationId } from '../../registry/define.ts';

export default defineCommand({
  name: ['operation', 'status'],
  group: 'operations',
  kind: 'read',
  toolsets: ['operations'],
  peopleOnly: 'all',
  summary: 'Show the state of an operation and its output so far.',
  description:
    'Works for operations of any session in this project, even those started before the daemon was restarted.',
  input: z.object({ operation_id: OperationId, all: OfAllProjects }),
  positionals: ['operation_id'],
  output: OperationAnswer,
  examples: [
    { about: 'Check on a build', input: { operation_id: 'op-k3f7x2' } },
    { about: 'The same in a few lines', input: { operation_id: 'op-k3f7x2' }, format: 'outline' },
  ],
  outline: outlineOperationAnswer,
  quoted: ({ output = '' }) => output,
  run: async (ctx, { operation_id: id, all }) => {
    const operations = await ctx.operations(all ? 'all' : 'project');
    return answerOf(ctx, operations, await operations.status(id));
  },
});
