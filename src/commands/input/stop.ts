import { z } from 'zod';
import { StopReport, defineCommand, outlineStop, timeout } from '../../registry/define.ts';

export default defineCommand({
  name: 'stop',
  group: 'input',
  kind: 'admin',
  title: 'Stop all acting',
  needs: ['windows'],
  idempotent: true,
  isUrgent: true,
  summary: 'End all acting on this desktop at once, by every session, until a person allows it again.',
  description:
    'Calls that act are cancelled, keys and buttons that are held down are let go, and further acts are refused with POLICY_DENIED; looking goes on. A person allows acting again with the command "resume". The hot-key does the same where the display lets us listen for it.',
  input: z.object({ timeout_ms: timeout(5000) }),
  output: StopReport,
  examples: [
    { about: 'Now', input: {} },
    { about: 'With more time to reach the desktop', input: { timeout_ms: 20_000 } },
  ],
  outline: outlineStop,
  run: async (ctx, { timeout_ms: deadlineMs }) => {
    const engine = await ctx.engine();
    return { ...(await engine.stopActing({ deadlineMs, signal: ctx.signal })) };
  },
});
