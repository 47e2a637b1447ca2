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
  name: 'focus-window',
  group: 'windows',
  kind: 'act',
  title: 'Focus a window',
  toolsets: ['windows'],
  needs: ['windows'],
  idempotent: true,
  summary: 'Bring a window to the front and give it the keyboard focus.',
  description:
    'It takes the focus from whatever has it, and brings back a minimized window. Reading and acting on elements need no focus. One of --app, --window and --title is needed.',
  input: z
    .object({
      app: App.optional(),
      window: WindowSelector.optional(),
      title: z.string().min(1).optional().describe('A part of the title of the window, in any case.'),
      timeout_ms: timeout(10_000),
    })
    .refine(({ app, window, title }) => [app, window, title].some((part) => part !== undefined), {
      path: ['window'],
      error: 'is needed, or --app, or --title',
    })
    .refine(({ window, title }) => window === undefined || title === undefined, {
      path: ['title'],
      error: 'contradicts --window; give one of them',
    }),
  output: WindowReceipt,
  examples: [
    { about: 'Focus the window of an application', input: { app: 'KCalc' } },
    { about: 'Focus a window by a part of its title', input: { title: 'untitled' } },
  ],
  outline: outlineReceipt,
  run: async (ctx, input) => {
    const engine = await ctx.engine();
    return engine.controlWindow({
      request: { kind: 'focus' },
      app: input.app,
      window: input.window ?? input.title,
      settle: settleLimits(ctx),
      deadlineMs: input.timeout_ms,
      signal: ctx.signal,
    });
  },
});
