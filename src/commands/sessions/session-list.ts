import { z } from 'zod';
import { outlineSession, SessionSummary } from '../../model/sessions/session-summary.ts';
import { line, span, table } from '../../model/text/page.ts';
import { defineCommand, localTime } from '../../registry/define.ts';

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
  page: ({ sessions, current }) =>
    sessions.length === 0
      ? [line('no sessions')]
      : [
          table(
            [
              { title: '' },
              { title: 'SESSION', narrow: 'clip' },
              { title: 'DESKTOP', narrow: 'clip' },
              { title: 'DISPLAY' },
              { title: 'CALLS', align: 'right' },
              { title: 'LAST USED' },
            ],
            sessions.map(({ name, desktop, display = '', ended, calls, last_used_at: last }) => [
              name === current ? span('→', 'good') : '',
              span(name, 'name'),
              ended === true ? span(`${desktop}, has ended`, 'bad') : desktop,
              display,
              String(calls),
              span(localTime(last), 'quiet'),
            ]),
          ),
        ],
  run: async (ctx) => ({ sessions: [...(await ctx.sessions.list())], current: ctx.session }),
});
