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
  requireLivingOn,
  timeout,
} from '../../registry/define.ts';

export default defineCommand({
  name: 'key-down',
  group: 'input',
  kind: 'input',
  title: 'Hold a key down',
  toolsets: ['input'],
  needs: ['input'],
  idempotent: true,
  summary: 'Hold a key down until "desk key-up".',
  description:
    'For keys held during clicks or drags. It is let go when the session ends, on "desk stop", when the client is gone, or 30 seconds after this session last used keyboard or pointer; until then other sessions wait for both. One call that presses and lets go is "desk press".',
  input: z.object({
    key: KeyChoice,
    app: App.optional(),
    window: WindowSelector.optional(),
    timeout_ms: timeout(10_000),
  }),
  positionals: ['key'],
  output: HeldReceipt,
  examples: [
    { about: 'Extend a selection by the clicks that follow', input: { key: 'Shift' } },
    { about: 'In a window that comes to the front first', input: { key: 'Alt', app: 'Gimp' } },
  ],
  outline: outlineReceipt,
  run: async (ctx, { key, app, window, ...input }) => {
    requireLivingOn(ctx, 'The key');
    const engine = await ctx.engine({ targets: [window] });
    return engine.holdKey({ key: parseKey(key), isDown: true, app, window, ...actOptions(ctx, input) });
  },
});
