import { z } from 'zod';
import { mentionParameter } from '../../model/text/mention.ts';
import { line, span, table } from '../../model/text/page.ts';
import { CHECK } from '../../model/tools/operation.ts';
import { OperationSummary, outlineOperation } from '../../model/tools/operation-answer.ts';
import {
  defineCommand,
  flag,
  localTime,
  OfAllProjects,
  readableTime,
  statusSpan,
  summarize,
} from '../../registry/define.ts';

export default defineCommand({
  name: ['operation', 'list'],
  group: 'operations',
  kind: 'read',
  toolsets: ['operations'],
  peopleOnly: 'all',
  summary: 'List operations, newest first.',
  input: z.object({
    running: flag('Only those still running.'),
    mine: flag('Only those of this session.'),
    all: OfAllProjects,
    limit: z.int().min(1).max(1000).default(20).describe('Maximum number of operations.'),
  }),
  output: z.object({
    operations: z.array(OperationSummary),
    more: z.int().optional().describe('Number of older operations not listed.'),
    of_other_projects: z
      .int()
      .optional()
      .describe('Number of operations of other projects, which are not listed.'),
  }),
  examples: [
    { about: 'What is running now', input: { running: true }, format: 'outline' },
    { about: 'The latest operations of this session', input: { mine: true, limit: 5 } },
  ],
  outline: ({ operations, more = 0, of_other_projects: others = 0 }) =>
    [
      ...(operations.length === 0 ? ['no operations'] : operations.map((one) => outlineOperation(one))),
      ...(more === 0 ? [] : [`and ${more} older`]),
      ...(others === 0 ? [] : [`${others} of other projects`]),
    ].join('\n'),
  page: ({ operations, more = 0, of_other_projects: others = 0 }) => [
    operations.length === 0
      ? line('no operations')
      : table(
          [
            { title: 'OPERATION' },
            { title: 'STATUS' },
            { title: 'TIME', align: 'right' },
            { title: 'STARTED' },
            { title: 'COMMAND', narrow: 'clip' },
          ],
          operations.map((one) => [
            span(one.operation_id, 'reference'),
            statusSpan(one.status),
            readableTime(one.duration_ms),
            span(localTime(one.started_at), 'quiet'),
            one.argv.length === 0 ? one.tool : one.argv.join(' '),
          ]),
        ),
    ...(more === 0 ? [] : [line(span(`and ${more} older`, 'quiet'))]),
    ...(others === 0
      ? []
      : [line(span(`${others} of other projects: ${mentionParameter('all')} lists them`, 'quiet'))]),
  ],
  run: async (ctx, { running, mine, all, limit }) => {
    const filter = { ...(running ? { running } : {}), ...(mine ? { session: ctx.session } : {}) };
    const listed = async (of: 'project' | 'all') =>
      (await (await ctx.operations(of)).list(filter)).filter(({ tool }) => tool !== CHECK);
    const everywhere = await listed('all');
    const views = all ? everywhere : await listed('project');
    const more = views.length - limit;
    const others = everywhere.length - views.length;
    return {
      operations: views.slice(0, limit).map((view) => summarize(view)),
      ...(more > 0 ? { more } : {}),
      ...(others > 0 ? { of_other_projects: others } : {}),
    };
  },
});
