import { z } from 'zod';
import { defineCommand, optionalText, outlineStop, StopReport, timeout } from '../../registry/define.ts';
import { mentionCommand } from '../../model/text/mention.ts';

export default defineCommand({
  name: ['session', 'hand-back'],
  group: 'sessions',
  kind: 'admin',
  surfaces: ['cli', 'library'],
  idempotent: true,
  summary: 'Hand a desktop back that a person has taken over: agents may act again.',
  description: `Does nothing if nobody has taken it over, and does not allow what ${mentionCommand('stop')} has stopped.`,
  input: z.object({
    name: optionalText('Session. Default: that of this call.'),
    timeout_ms: timeout(10_000),
  }),
  positionals: ['name'],
  output: StopReport,
  examples: [
    { about: 'The desktop of a session', input: { name: 'worker' } },
    { about: 'That of this call’s session', input: {}, format: 'outline' },
  ],
  outline: outlineStop,
  run: async (ctx, input) => ({
    ...(await ctx.sessions.handBack((input.name ?? ctx.session).toLowerCase(), ctx.environment)),
  }),
});
