import { mentionCommand } from '../../model/text/mention.ts';
import { z } from 'zod';
import { controlWindow, Pixel, windowTarget } from '../../registry/define.ts';
import { windowCommand } from './window-command.ts';

export default windowCommand({
  name: 'move-window',
  title: 'Move a window',
  idempotent: true,
  summary: 'Move a window on the screen.',
  description: `Default: the active window. X and Y are the top left corner of its contents, below the title bar, as in "bounds" of ${mentionCommand('list-windows')}. Size and keyboard focus do not change. A window that ends up elsewhere is reported as ACTION_FAILED with its position.`,
  input: z.object({
    x: Pixel.describe('Left edge of its contents, in screen pixels.'),
    y: Pixel.describe('Top edge of its contents, in screen pixels.'),
    ...windowTarget,
  }),
  positionals: ['x', 'y'],
  examples: [
    { about: 'Move the active window', input: { x: 100, y: 80 } },
    { about: 'Move a window that was listed', input: { x: 0, y: 40, window: '@w2' } },
  ],
  run: (ctx, input) => controlWindow(ctx, { kind: 'move', x: input.x, y: input.y }, input),
});
