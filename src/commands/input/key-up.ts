import { z } from 'zod';
import { parseKey } from '../../model/text/key-combination.ts';
import { HeldReceipt } from '../../model/effects/effect.ts';
import {
  App,
  KeyChoice,
  WindowSelector,
  actOptions,
  defineCommand,
  outlineReceipt,
  timeout,
} from '../../registry/define.ts';

export default defineCommand({
  name: 'key-up',
  group: 'input',
  kind: 'input',
  title: 'Let a key go',
  toolsets: ['input'],
  needs: ['input'],
  idempotent: true,
  summary: 'Let a key go that "desk key-down" holds.',
  description: 'Nothing is wrong when it was not held.',
  input: z.object({
    key: KeyChoice,
    app: App.optional(),
    window: WindowSelector.optional(),
    timeout_ms: timeout(10_000),
  }),
  positionals: ['key'],
  output: HeldReceipt,
  examples: [
    { about: 'Let Shift go', input: { key: 'Shift' } },
    { about: 'In a window that comes to the front first', input: { key: 'Alt', app: 'Gimp' } },
  ],
  outline: outlineReceipt,
  run: async (ctx, { key, app, window, ...input }) => {
    const engine = await ctx.engine({ targets: [window] });
    return engine.holdKey({ key: parseKey(key), isDown: false, app, window, ...actOptions(ctx, input) });
  },
});
