import { z } from 'zod';
import { HeldReceipt } from '../../model/effects/effect.ts';
import { byKeys, CHANGE_SEEN } from '../../model/effects/guarantees.ts';
import { parseKey } from '../../model/text/key-combination.ts';
import {
  actOptions,
  defineCommand,
  KeyChoice,
  outlineReceipt,
  pageOfReceipt,
  requireOutlivingCall,
  windowTarget,
} from '../../registry/define.ts';
import type { CommandFacts } from '../../registry/define.ts';

const input = z.object({ key: KeyChoice, ...windowTarget });

/** A command that holds a key down, or releases it. */
export function heldKey({
  isDown,
  ...words
}: Pick<
  CommandFacts<typeof input, typeof HeldReceipt>,
  'name' | 'title' | 'summary' | 'description' | 'examples'
> & { readonly isDown: boolean }) {
  return defineCommand({
    ...words,
    group: 'input',
    kind: 'input',
    takesSeat: true,
    guarantee: byKeys(CHANGE_SEEN),
    toolsets: ['input'],
    needs: ['input'],
    idempotent: true,
    input,
    positionals: ['key'],
    output: HeldReceipt,
    outline: outlineReceipt,
    page: pageOfReceipt,
    run: async (ctx, { key, app, window, ...options }) => {
      if (isDown) requireOutlivingCall(ctx, 'The key');
      const engine = await ctx.engine({ targets: [window] });
      return engine.holdKey({ key: parseKey(key), isDown, app, window, ...actOptions(ctx, options) });
    },
  });
}
