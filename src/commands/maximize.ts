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
  name: 'maximize',
  group: 'windows',
  kind: 'act',
  title: 'Maximize a window',
  toolsets: ['windows'],
  needs: ['windows'],
  idempotent: true,
  summary: 'Make a window fill the screen.',
  description:
    'Without --app and --window it is the active window. A minimized window is brought back for it, which gives it the keyboard focus.',
  input: z.object({
    app: App.optional(),
    window: WindowSelector.optional(),
    timeout_ms: timeout(10_000),
  }),
  output: WindowReceipt,
  examples: [
    { about: 'Maximize the active window', input: {} },
    { about: 'Maximize the window of an application', input: { app: 'KCalc' } },
  ],
  outline: outlineReceipt,
  run: async (ctx, input) => {
    const engine = await ctx.engine();
    return engine.controlWindow({
      request: { kind: 'maximize' },
      app: input.app,
      window: input.window,
      settle: settleLimits(ctx),
      deadlineMs: input.timeout_ms,
      signal: ctx.signal,
    });
  },
});
