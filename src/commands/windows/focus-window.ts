import { mentionParameter } from '../../model/text/mention.ts';
import { z } from 'zod';
import { controlWindow, windowTarget } from '../../registry/define.ts';
import { windowCommand } from './window-command.ts';

export default windowCommand({
  name: 'focus-window',
  title: 'Focus a window',
  idempotent: true,
  summary: 'Bring a window to the front and give it the keyboard focus.',
  description: `Takes the focus from the current window and restores a minimized window. Reading and acting on elements need no focus. Give ${mentionParameter('app')}, ${mentionParameter('window')} or ${mentionParameter('title')}.`,
  input: z
    .object({
      app: windowTarget.app,
      window: windowTarget.window,
      title: z.string().min(1).optional().describe('Part of the window title, ignoring case.'),
      timeout_ms: windowTarget.timeout_ms,
    })
    .refine(({ app, window, title }) => [app, window, title].some((part) => part !== undefined), {
      path: ['window'],
      error: `or ${mentionParameter('app')} or ${mentionParameter('title')} is needed`,
    })
    .refine(({ window, title }) => window === undefined || title === undefined, {
      path: ['title'],
      error: `contradicts ${mentionParameter('window')}; give one of them`,
    }),
  examples: [
    { about: 'Focus the window of an application', input: { app: 'KCalc' } },
    { about: 'Focus a window by part of its title', input: { title: 'untitled' } },
  ],
  run: (ctx, input) =>
    controlWindow(ctx, { kind: 'focus' }, { ...input, window: input.window ?? input.title }),
});
