import { mentionParameter } from '../../model/text/mention.ts';
import { z } from 'zod';
import {
  controlWindow,
  optionalText,
  atLeastOne,
  excludes,
  windowScope,
  timeout,
} from '../../registry/define.ts';
import { windowCommand } from './window-command.ts';

export default windowCommand({
  name: 'focus-window',
  title: 'Focus a window',
  idempotent: true,
  summary: 'Bring a window to the front and give it the keyboard focus.',
  description: `Takes the focus from the current window and restores a minimized window. Reading and acting on elements need no focus. Give ${mentionParameter('app')}, ${mentionParameter('window')} or ${mentionParameter('title')}.`,
  input: z
    .object({
      ...windowScope,
      title: optionalText('Part of the window title, ignoring case.'),
      timeout_ms: timeout(10_000),
    })
    .refine(...atLeastOne('window', 'app', 'title'))
    .refine(...excludes('title', 'window')),
  examples: [
    { about: 'Focus the window of an application', input: { app: 'KCalc' } },
    { about: 'Focus a window by part of its title', input: { title: 'untitled' } },
  ],
  run: (ctx, input) =>
    controlWindow(ctx, { kind: 'focus' }, { ...input, window: input.window ?? input.title }),
});
