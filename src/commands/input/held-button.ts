import { z } from 'zod';
import { HeldReceipt } from '../../model/effects/effect.ts';
import { byPointer, CHANGE_SEEN } from '../../model/effects/guarantees.ts';
import {
  actOptions,
  ButtonChoice,
  defineCommand,
  outlineReceipt,
  pageOfReceipt,
  requireOutlivingCall,
  timeout,
} from '../../registry/define.ts';
import type { CommandFacts } from '../../registry/define.ts';

const input = z.object({ button: ButtonChoice, timeout_ms: timeout(10_000) });

/** A command that holds a mouse button down, or releases it. */
export function heldButton({
  isDown,
  ...words
}: Pick<CommandFacts<typeof input, z.ZodObject>, 'name' | 'title' | 'summary' | 'description'> & {
  readonly isDown: boolean;
}) {
  return defineCommand({
    ...words,
    group: 'input',
    kind: 'input',
    takesSeat: true,
    guarantee: byPointer(CHANGE_SEEN),
    toolsets: ['input'],
    needs: ['input'],
    idempotent: true,
    input,
    positionals: ['button'],
    output: HeldReceipt,
    examples: [
      { about: 'The left button', input: {} },
      { about: 'The right button', input: { button: 'right' } },
    ],
    outline: outlineReceipt,
    page: pageOfReceipt,
    run: async (ctx, { button, ...options }) => {
      if (isDown) requireOutlivingCall(ctx, 'The button');
      const engine = await ctx.engine();
      return engine.mouse.hold({ button, isDown, ...actOptions(ctx, options) });
    },
  });
}
