import { mentionCommand } from '../../model/text/mention.ts';
import { z } from 'zod';
import { outlineSession, SessionSummary } from '../../model/sessions/session-summary.ts';
import { defineCommand, timeout } from '../../registry/define.ts';

export default defineCommand({
  name: ['session', 'kill'],
  group: 'sessions',
  kind: 'admin',
  destructive: true,
  summary: 'End a session: discard its references, and end its private desktop with every program on it.',
  description: `Programs on your own desktop keep running. Running calls may fail. Calls that use its name fail until ${mentionCommand('session new')} makes it again, except for the session 'default'.`,
  input: z.object({
    name: z.string().min(1).describe('Name of the session.'),
    timeout_ms: timeout(15_000),
  }),
  positionals: ['name'],
  output: SessionSummary.extend({ killed: z.literal(true) }),
  examples: [
    { about: 'End a session and its desktop', input: { name: 'worker' } },
    { about: 'The result in words', input: { name: 'worker' }, format: 'outline' },
  ],
  outline: (output) => `ended ${outlineSession(output)}`,
  run: async (ctx, input) => ({ ...(await ctx.sessions.kill(input.name)), killed: true as const }),
});
