import { mentionCommand, mentionParameter } from '../../model/text/mention.ts';
import { z } from 'zod';
import { WindowSummary } from '../../model/refs/target.ts';
import { AliasName, Connection, outlineConnection } from '../../model/sessions/connection.ts';
import { App, callLimits, defineCommand, outlineWindow, timeout } from '../../registry/define.ts';

export default defineCommand({
  name: 'connect',
  group: 'apps',
  kind: 'admin',
  isReadOnly: true,
  title: 'Connect to an application',
  needs: ['windows'],
  summary: 'Give one running application a name of your own, for this session.',
  description:
    `The alias is accepted wherever ${mentionParameter('app')} is, also in locators (app:ALIAS >> role:button). ` +
    `It names this process only: once that has ended, commands with the alias fail and say so, even if the application was started again. ` +
    `${mentionCommand('session info')} lists the connections.`,
  input: z.object({
    app: App,
    alias: AliasName.optional().describe('The alias. Default: the name of the application as one word.'),
    timeout_ms: timeout(5000),
  }),
  positionals: ['app'],
  output: Connection.extend({ windows: z.array(WindowSummary).describe('Its open windows.') }),
  examples: [
    { about: 'One of two instances, by its process', input: { app: '4242', alias: 'left' } },
    { about: 'Under its own name', input: { app: 'KCalc' } },
  ],
  outline: ({ windows, ...connection }) =>
    [
      `connected ${outlineConnection(connection)}`,
      ...windows.map((window) => `  ${outlineWindow(window)}`),
    ].join('\n'),
  run: async (ctx, input) => {
    const engine = await ctx.engine();
    const { app, alias } = input;
    const { windows, ...connection } = await engine.connect({ app, alias, ...callLimits(ctx, input) });
    return { ...connection, windows: [...windows] };
  },
});
