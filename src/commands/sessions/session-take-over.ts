import { z } from 'zod';
import { defineCommand, optionalText, timeout } from '../../registry/define.ts';
import { mentionCommand } from '../../model/text/mention.ts';

export default defineCommand({
  name: ['session', 'take-over'],
  group: 'sessions',
  kind: 'admin',
  // An agent does not decide who is in control.
  surfaces: ['cli', 'library'],
  idempotent: true,
  summary: 'Take over a private desktop: acts by agents are refused until it is handed back.',
  description: `Running acts end, held keys are released, and further acts on this desktop fail with POLICY_DENIED; reading still works. Use pointer and keyboard in the page at the address in the answer. It lasts until ${mentionCommand('session hand-back')}, even if the page is closed. On your own desktop, use ${mentionCommand('stop')}.`,
  input: z.object({
    name: optionalText('Session. Default: that of this call.'),
    timeout_ms: timeout(10_000),
  }),
  positionals: ['name'],
  output: z.object({
    name: z.string(),
    url: z.string().describe('The page with its screen, for pointer and keyboard.'),
    since: z.string().optional().describe('When it was taken over.'),
  }),
  examples: [
    { about: 'The desktop of a session', input: { name: 'worker' } },
    { about: 'Only print the address of the page', input: { name: 'worker' }, format: 'text' },
  ],
  outline: ({ name, url }) => `you have taken over ${name}; its page is ${url}`,
  text: ({ url }) => url,
  run: async (ctx, input) => ({
    ...(await ctx.sessions.takeOver((input.name ?? ctx.session).toLowerCase(), ctx.environment)),
  }),
});
