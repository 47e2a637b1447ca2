import { z } from 'zod';
import { CHECK } from '../../model/tools/operation.ts';
import { isOver } from '../../model/tools/operation-status.ts';
import { OperationAnswer, outlineOperationAnswer } from '../../model/tools/operation-answer.ts';
import {
  answerOf,
  defineCommand,
  OfAllProjects,
  OperationId,
  timeout,
  waitFor,
} from '../../registry/define.ts';
import type { CommandContext } from '../../registry/define.ts';

/** Many clients abandon a call after a minute. */
const DEFAULT_MS = 45_000;
/** Time to read the outputs after the wait. */
const READING_MS = 10_000;

export default defineCommand({
  name: ['operation', 'await'],
  group: 'operations',
  kind: 'read',
  longRunning: 'call',
  toolsets: ['operations'],
  peopleOnly: 'all',
  summary: 'Wait for operations to end.',
  description:
    'Returns when all have ended or, if time runs out, lists those still running: then call it again. Without ids it waits for all that this session is running; if none is, it returns those that have ended in the last minutes, or else the last one. ' +
    'Running out of time does not end an operation.',
  input: z.object({
    operation_ids: z.array(OperationId).max(50).optional().describe('Operations, such as op-k3f7x2.'),
    all: OfAllProjects,
    timeout_ms: timeout(DEFAULT_MS),
  }),
  positionals: ['operation_ids'],
  output: z.object({
    operations: z.array(OperationAnswer),
    still_running: z.array(z.string()).describe('Operations that have not ended.'),
  }),
  examples: [
    { about: 'Wait for one operation', input: { operation_ids: ['op-k3f7x2'] } },
    { about: 'Wait for everything this session runs, at most ten minutes', input: { timeout_ms: 600_000 } },
  ],
  deadlineMs: ({ timeout_ms: limit }) => limit + READING_MS,
  outline: ({ operations, still_running: running }) =>
    [
      ...(operations.length === 0
        ? ['this session has run no operation']
        : operations.map((one) => outlineOperationAnswer(one))),
      ...(running.length === 0 ? [] : [`still running: ${running.join(', ')}`]),
    ].join('\n'),
  quoted: ({ operations }) =>
    operations
      .filter(({ output = '' }) => output !== '')
      .map(({ operation_id: id, output = '' }) => `${id}:\n${output}`)
      .join('\n'),
  exitCode: ({ still_running: running }) => (running.length === 0 ? 0 : 1),
  run: async (ctx, { operation_ids: given, all, timeout_ms: limit }) => {
    const operations = await ctx.operations(all ? 'all' : 'project');
    const ids = given ?? (await ofSession(ctx, operations));
    const until = ctx.clock.now() + limit;
    const views = await Promise.all(
      [...new Set(ids)].map((id) => waitFor(ctx, operations, id, Math.max(0, until - ctx.clock.now()))),
    );
    return {
      operations: await Promise.all(views.map((view) => answerOf(ctx, operations, view))),
      still_running: views.filter(({ status }) => !isOver(status)).map(({ operation_id: id }) => id),
    };
  },
});

/** Ends that an agent may not have heard of yet. */
const RECENT_MS = 10 * 60_000;
const MOST_RECENT = 5;

/** What a session that names no operations is interested in: those that run or, if none does, those that ended last. */
async function ofSession(
  { session, calledAt }: Pick<CommandContext, 'session' | 'calledAt'>,
  operations: Awaited<ReturnType<CommandContext['operations']>>,
): Promise<readonly string[]> {
  const all = (await operations.list({ session })).filter(({ tool }) => tool !== CHECK);
  const running = all.filter(({ status }) => !isOver(status));
  const ended = all.toSorted((a, b) => (b.ended_at ?? '').localeCompare(a.ended_at ?? ''));
  const since = calledAt.getTime() - RECENT_MS;
  const recent = ended.filter(({ ended_at: at }) => at !== undefined && Date.parse(at) >= since);
  const chosen =
    running.length > 0 ? running : recent.length > 0 ? recent.slice(0, MOST_RECENT) : ended.slice(0, 1);
  return chosen.map(({ operation_id: id }) => id);
}
