import { z } from 'zod';
import { byDisplay } from '../../model/effects/guarantees.ts';
import { outlineClipboard } from './outline-clipboard.ts';
import { defineCommand, timeout, callLimits } from '../../registry/define.ts';

export default defineCommand({
  name: ['clipboard', 'clear'],
  group: 'clipboard',
  kind: 'act',
  guarantee: byDisplay('clipboard', 'the clipboard read back as another program would'),
  title: 'Clear the clipboard',
  needs: ['clipboard'],
  idempotent: true,
  destructive: true,
  summary: 'Clear the clipboard, whichever program owns it.',
  description:
    '"unverified" means that another program, such as a clipboard manager, has filled the clipboard again.',
  input: z.object({ timeout_ms: timeout(5000) }),
  output: z.object({
    effect: z.enum(['confirmed', 'unverified']),
    evidence: z.array(z.string()).describe('Observations that support the effect.'),
    formats: z.array(z.string()).describe('Formats on offer now.'),
  }),
  examples: [
    { about: 'Leave nothing behind', input: {} },
    { about: 'With a short deadline', input: { timeout_ms: 1000 } },
  ],
  outline: outlineClipboard,
  run: async (ctx, input) => {
    const engine = await ctx.engine();
    const call = callLimits(ctx, input);
    const { effect, evidence, formats } = await engine.clearClipboard(call);
    return { effect, evidence: [...evidence], formats: [...formats] };
  },
});
