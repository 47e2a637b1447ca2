import { z } from 'zod';
import { HeldReceipt } from '../../model/effects/effect.ts';
import {
  ButtonChoice,
  actOptions,
  defineCommand,
  outlineReceipt,
  requireLivingOn,
  timeout,
} from '../../registry/define.ts';

export default defineCommand({
  name: ['mouse', 'down'],
  group: 'input',
  kind: 'input',
  title: 'Hold a button down',
  toolsets: ['input'],
  needs: ['input'],
  idempotent: true,
  summary: 'Hold a button of the pointer down where it is, until "desk mouse up".',
  description: 'It is let go as with "desk key-down". For a whole drag use "desk drag".',
  input: z.object({ button: ButtonChoice, timeout_ms: timeout(10_000) }),
  positionals: ['button'],
  output: HeldReceipt,
  examples: [
    { about: 'The left one', input: {} },
    { about: 'The right one', input: { button: 'right' } },
  ],
  outline: outlineReceipt,
  run: async (ctx, { button, ...input }) => {
    requireLivingOn(ctx, 'The button');
    const engine = await ctx.engine();
    return engine.mouse.hold({ button, isDown: true, ...actOptions(ctx, input) });
  },
});
