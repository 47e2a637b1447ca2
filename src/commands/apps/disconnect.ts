import { mentionCommand, mentionParameter } from '../../model/text/mention.ts';
import { z } from 'zod';
import { Connection, outlineConnection } from '../../model/sessions/connection.ts';
import { defineCommand, flag, optionalText } from '../../registry/define.ts';

export default defineCommand({
  name: 'disconnect',
  group: 'apps',
  kind: 'admin',
  isReadOnly: true,
  title: 'Disconnect from an application',
  needs: ['windows'],
  summary: `Forget an alias that ${mentionCommand('connect')} gave.`,
  description: 'The application itself keeps running, and its references stay valid.',
  input: z
    .object({
      alias: optionalText('The alias.'),
      all: flag('Forget all aliases of this session.'),
    })
    .refine(({ alias, all }) => (alias !== undefined) !== all, {
      path: ['alias'],
      error: `or ${mentionParameter('all')} is needed, and not both`,
    }),
  positionals: ['alias'],
  output: z.object({ disconnected: z.array(Connection) }),
  examples: [
    { about: 'One connection', input: { alias: 'left' } },
    { about: 'All of this session', input: { all: true } },
  ],
  outline: ({ disconnected }) =>
    disconnected.length === 0
      ? 'there were no connections'
      : disconnected.map((connection) => `disconnected ${outlineConnection(connection)}`).join('\n'),
  run: async (ctx, { alias }) => {
    const engine = await ctx.engine();
    return { disconnected: [...(await engine.disconnect({ alias }))] };
  },
});
