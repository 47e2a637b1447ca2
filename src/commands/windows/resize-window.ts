import { mentionCommand } from '../../model/text/mention.ts';
import { z } from 'zod';
import { controlWindow, LARGEST_PIXEL, windowTarget } from '../../registry/define.ts';
import { windowCommand } from './window-command.ts';

export default windowCommand({
  name: 'resize-window',
  title: 'Resize a window',
  idempotent: true,
  summary: 'Resize a window.',
  description: `Default: the active window. The size is that of its contents, without title bar and border, as in "bounds" of ${mentionCommand('list-windows')}. The keyboard focus does not change, nor does the position; if the window manager moves the window nevertheless, the evidence says so. Some windows have a minimum size or grow in steps: a size other than requested is reported as ACTION_FAILED with the actual one, a window of fixed size as ACTION_NOT_SUPPORTED.`,
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
