import { mentionCommand } from '../../model/text/mention.ts';
import { z } from 'zod';
import { Connection, outlineConnection } from '../../model/sessions/connection.ts';
import {
  HomeFiles,
  outlineFiles,
  outlineHome,
  outlineSession,
  SessionSummary,
} from '../../model/sessions/session-summary.ts';
import { defineCommand, optionalText } from '../../registry/define.ts';

export default defineCommand({
  name: ['session', 'info'],
  group: 'sessions',
  kind: 'admin',
  isReadOnly: true,
  summary: 'Show one session.',
  description: `A session is created by ${mentionCommand('session new')}; 'default' by its first call. Works without a desktop.`,
  input: z.object({ name: optionalText('Name. Default: the session of this call.') }),
  positionals: ['name'],
  output: SessionSummary.extend({
    actions: z.int().nonnegative().describe('Acts since it began.'),
    undo_depth: z.int().nonnegative().describe('Acts that undo knows, those that cannot be undone included.'),
    subscriptions: z
      .int()
      .nonnegative()
      .describe('Resources and changes that clients of the answering process are subscribed to.'),
    connections: z
      .array(Connection)
      .optional()
      .describe(`Applications it is connected to by ${mentionCommand('connect')}.`),
    home_files: HomeFiles.optional().describe('Files in its HOME that are deleted with the session.'),
  }),
  examples: [
    { about: 'The session of this call', input: {} },
    { about: 'Another one', input: { name: 'worker' }, format: 'outline' },
  ],
  outline: (output) => {
    const { home_files: files, connections = [] } = output;
    return [
      outlineSession(output),
      `created ${output.created_at}`,
      `${output.actions} ${output.actions === 1 ? 'act' : 'acts'}, ${output.undo_depth} known to undo`,
      ...outlineHome(output),
      ...(files === undefined ? [] : [`in it: ${outlineFiles(files)}`]),
      ...connections.map((connection) => `connected ${outlineConnection(connection)}`),
    ].join('\n');
  },
  run: async (ctx, input) => ctx.sessions.info(input.name ?? ctx.session),
});
