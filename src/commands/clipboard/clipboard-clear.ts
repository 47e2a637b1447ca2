import { z } from 'zod';
import { ClipboardChange, changesClipboard } from './clipboard-change.ts';
import { defineCommand, timeout, callLimits } from '../../registry/define.ts';

export default defineCommand({
  ...changesClipboard,
  name: ['clipboard', 'clear'],
  title: 'Clear the clipboard',
  destructive: true,
  summary: 'Clear the clipboard, whichever program owns it.',
  description:
    '"unverified" means that another program, such as a clipboard manager, has filled the clipboard again.',
  input: z.object({ timeout_ms: timeout(5000) }),
  output: ClipboardChange,
  examples: [
    { about: 'Leave nothing behind', input: {} },
    { about: 'With a short deadline', input: { timeout_ms: 1000 } },
  ],
  run: async (ctx, input) => {
    const engine = await ctx.engine();
    const call = { onReversal: ctx.onReversal, ...callLimits(ctx, input) };
    const { effect, evidence, formats } = await engine.clearClipboard(call);
    return { effect, evidence: [...evidence], formats: [...formats] };
  },
});
