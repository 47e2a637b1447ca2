import { z } from 'zod';
import { OperationAnswer, outlineOperationAnswer } from '../../model/tools/operation-answer.ts';
import { answerOf, defineCommand, OperationId } from '../../registry/define.ts';

export default defineCommand({
  name: ['operation', 'status'],
  group: 'operations',
  kind: 'read',
  mcpName: 'operation_status',
  toolsets: ['operations'],
  summary: 'Say how an operation goes, with what it wrote so far.',
  description: 'The operation need not be of this session, nor of this start of the daemon.',
  input: z.object({ operation_id: OperationId }),
  positionals: ['operation_id'],
  output: OperationAnswer,
  examples: [
    { about: 'See how a build goes', input: { operation_id: 'op-k3f7x2' } },
    { about: 'The same in a few lines', input: { operation_id: 'op-k3f7x2' }, format: 'outline' },
  ],
  outline: outlineOperationAnswer,
  quoted: ({ output = '' }) => output,
  run: async (ctx, { operation_id: id }) => {
    const operations = await ctx.operations();
    return answerOf(ctx, operations, await operations.status(id));
  },
});
