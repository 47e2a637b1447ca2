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
  name: 'close-window',
  group: 'windows',
  kind: 'act',
  title: 'Close a window',
  toolsets: ['windows'],
  needs: ['windows'],
  destructive: true,
  summary: 'Ask a window to close, as its close button does.',
  description:
    'Done means that the window is gone. One that stays, for example to ask whether to save, is reported as ACTION_FAILED; "changes" names the window that it asks in. The application goes on where it has other windows.',
  input: z
    .object({
      app: App.optional(),
      window: WindowSelector.optional(),
      timeout_ms: timeout(10_000),
    })
    .refine(({ app, window }) => app !== undefined || window !== undefined, {
      path: ['window'],
      error: 'is needed, or --app',
    }),
  output: WindowReceipt,
  examples: [
    { about: 'Close a window that was listed', input: { window: '@w2' } },
    { about: 'Close the frontmost window of an application', input: { app: 'KCalc' } },
  ],
  outline: outlineReceipt,
  run: async (ctx, input) => {
    const engine = await ctx.engine();
    return engine.controlWindow({
      request: { kind: 'close' },
      app: input.app,
      window: input.window,
      settle: settleLimits(ctx),
      deadlineMs: input.timeout_ms,
      signal: ctx.signal,
    });
  },
});
