import { z } from 'zod';
import { WindowReceipt } from '../model/effect.ts';
import {
  App,
  WindowSelector,
  defineCommand,
  outlineReceipt,
  settleLimits,
  timeout,
} from '../registry/define.ts';

export default defineCommand({
  name: 'restore',
  group: 'windows',
  kind: 'act',
  title: 'Restore a window',
  toolsets: ['windows'],
  needs: ['windows'],
  idempotent: true,
  summary: 'Bring back a minimized window, or give a maximized one its former size.',
  description:
    'Without --app and --window it is the active window. Afterwards it is neither minimized nor maximized nor in full screen. Bringing back a minimized window gives it the keyboard focus.',
  input: z.object({
    app: App.optional(),
    window: WindowSelector.optional(),
    timeout_ms: timeout(10_000),
  }),
  output: WindowReceipt,
  examples: [
    { about: 'Bring back a minimized window', input: { window: '@w2' } },
    { about: 'End the maximizing of the active window', input: {} },
  ],
  outline: outlineReceipt,
  run: async (ctx, input) => {
    const engine = await ctx.engine();
    return engine.controlWindow({
      request: { kind: 'restore' },
      app: input.app,
      window: input.window,
      settle: settleLimits(ctx),
      deadlineMs: input.timeout_ms,
      signal: ctx.signal,
    });
  },
});
