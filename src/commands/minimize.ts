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
  name: 'minimize',
  group: 'windows',
  kind: 'act',
  title: 'Minimize a window',
  toolsets: ['windows'],
  needs: ['windows'],
  idempotent: true,
  summary: 'Minimize a window.',
  description:
    'Without --app and --window it is the active window. Where it was active, the window manager gives the keyboard focus to another one; otherwise the focus stays. A minimized window cannot be captured: "restore" brings it back.',
  input: z.object({
    app: App.optional(),
    window: WindowSelector.optional(),
    timeout_ms: timeout(10_000),
  }),
  output: WindowReceipt,
  examples: [
    { about: 'Minimize the active window', input: {} },
    { about: 'Minimize the window of an application', input: { app: 'KCalc' } },
  ],
  outline: outlineReceipt,
  run: async (ctx, input) => {
    const engine = await ctx.engine();
    return engine.controlWindow({
      request: { kind: 'minimize' },
      app: input.app,
      window: input.window,
      settle: settleLimits(ctx),
      deadlineMs: input.timeout_ms,
      signal: ctx.signal,
    });
  },
});
