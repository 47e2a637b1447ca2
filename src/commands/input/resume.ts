import { z } from 'zod';
import { StopReport, defineCommand, outlineStop, timeout } from '../../registry/define.ts';

export default defineCommand({
  name: 'resume',
  group: 'input',
  kind: 'admin',
  title: 'Allow acting again',
  // Whoever was stopped does not let itself go on.
  surfaces: ['cli', 'library'],
  needs: ['windows'],
  idempotent: true,
  isUrgent: true,
  summary: 'Allow acting on this desktop again after "desk stop" or the hot-key.',
  description: 'Not offered as an MCP tool: a person decides that an agent may go on.',
  input: z.object({ timeout_ms: timeout(5000) }),
  output: StopReport,
  examples: [
    { about: 'Go on', input: {} },
    { about: 'With more time to reach the desktop', input: { timeout_ms: 20_000 } },
  ],
  outline: outlineStop,
  run: async (ctx, { timeout_ms: deadlineMs }) => {
    const engine = await ctx.engine();
    return { ...(await engine.resumeActing({ deadlineMs, signal: ctx.signal })) };
  },
});
