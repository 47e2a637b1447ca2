import { z } from 'zod';
import { HeldReceipt } from '../../model/effects/effect.ts';
import { ButtonChoice, actOptions, defineCommand, outlineReceipt, timeout } from '../../registry/define.ts';

export default defineCommand({
  name: ['mouse', 'up'],
  group: 'input',
  kind: 'input',
  title: 'Let a button go',
  toolsets: ['input'],
  needs: ['input'],
  idempotent: true,
  summary: 'Let a button go that "desk mouse down" holds.',
  description: 'Nothing is wrong when it was not held.',
  input: z.object({ button: ButtonChoice, timeout_ms: timeout(10_000) }),
  positionals: ['button'],
  output: HeldReceipt,
  examples: [
    { about: 'The left one', input: {} },
    { about: 'The right one', input: { button: 'right' } },
  ],
  outline: outlineReceipt,
  run: async (ctx, { button, ...input }) => {
    const engine = await ctx.engine();
    return engine.mouse.hold({ button, isDown: false, ...actOptions(ctx, input) });
  },
});
