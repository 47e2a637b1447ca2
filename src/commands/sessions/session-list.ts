import { z } from 'zod';
import { outlineSession, SessionSummary } from '../../model/sessions/session-summary.ts';
import { defineCommand } from '../../registry/define.ts';

export default defineCommand({
  name: ['session', 'list'],
  group: 'sessions',
  kind: 'admin',
  isReadOnly: true,
  summary: 'List all sessions by name.',
  description: 'Includes sessions left by earlier processes. Works without a desktop.',
  input: z.object({}),
  output: z.object({
    sessions: z.array(SessionSummary),
    current: z.string().describe('Session of this call; it is listed after its first use.'),
  }),
  examples: [
    { about: 'All sessions', input: {}, format: 'outline' },
    { about: 'Only the names, for a script', input: {}, format: 'text' },
  ],
  outline: ({ sessions }) =>
    sessions.length === 0 ? 'no sessions' : sessions.map((session) => outlineSession(session)).join('\n'),
  text: ({ sessions }) => sessions.map(({ name }) => name).join('\n'),
  run: async (ctx) => ({ sessions: [...(await ctx.sessions.list())], current: ctx.session }),
});
