import { z } from 'zod';
import { WindowReceipt } from '../../model/effects/effect.ts';
import { controlWindow, defineCommand, outlineReceipt, windowTarget } from '../../registry/define.ts';

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
      app: windowTarget.app,
      window: windowTarget.window,
      title: z.string().min(1).optional().describe('A part of the title of the window, in any case.'),
      timeout_ms: windowTarget.timeout_ms,
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
  run: (ctx, input) =>
    controlWindow(ctx, { kind: 'focus' }, { ...input, window: input.window ?? input.title }),
});
