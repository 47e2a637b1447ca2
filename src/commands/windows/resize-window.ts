import { mentionParameter } from '../../model/text/mention.ts';
import { z } from 'zod';
import { controlWindow, LARGEST_PIXEL, windowTarget } from '../../registry/define.ts';
import { windowCommand } from './window-command.ts';

export default windowCommand({
  name: 'resize-window',
  title: 'Resize a window',
  idempotent: true,
  summary: 'Give a window a size.',
  description: `Without ${mentionParameter('app')} and ${mentionParameter('window')} it is the active window. The size is that of its contents, without title bar and border, as list-windows tells it in "bounds". Its place and the keyboard focus stay as they are. Some windows have a smallest size or grow in steps: another size than asked is reported as ACTION_FAILED with what it is now, and one of fixed size as ACTION_NOT_SUPPORTED.`,
  input: z.object({
    width: z.int().min(1).max(LARGEST_PIXEL).describe('Width of its contents, in screen pixels.'),
    height: z.int().min(1).max(LARGEST_PIXEL).describe('Height of its contents, in screen pixels.'),
    ...windowTarget,
  }),
  positionals: ['width', 'height'],
  examples: [
    { about: 'Resize the active window', input: { width: 800, height: 600 } },
    { about: 'Resize the window of an application', input: { width: 640, height: 480, app: 'KCalc' } },
  ],
  run: (ctx, input) =>
    controlWindow(ctx, { kind: 'resize', width: input.width, height: input.height }, input),
});
