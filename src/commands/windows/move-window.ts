import { mentionParameter } from '../../model/text/mention.ts';
import { z } from 'zod';
import { controlWindow, LARGEST_PIXEL, windowTarget } from '../../registry/define.ts';
import { windowCommand } from './window-command.ts';

export default windowCommand({
  name: 'move-window',
  title: 'Move a window',
  idempotent: true,
  summary: 'Move a window to a place on the screen.',
  description: `Without ${mentionParameter('app')} and ${mentionParameter('window')} it is the active window. X and Y are where its contents begin, below the title bar, as list-windows tells them in "bounds". Its size and the keyboard focus stay as they are. A window that ends up elsewhere is reported as ACTION_FAILED with where it is.`,
  input: z.object({
    x: z
      .int()
      .min(-LARGEST_PIXEL)
      .max(LARGEST_PIXEL)
      .describe('Left edge of its contents, in screen pixels.'),
    y: z
      .int()
      .min(-LARGEST_PIXEL)
      .max(LARGEST_PIXEL)
      .describe('Upper edge of its contents, in screen pixels.'),
    ...windowTarget,
  }),
  positionals: ['x', 'y'],
  examples: [
    { about: 'Move the active window', input: { x: 100, y: 80 } },
    { about: 'Move a window that was listed', input: { x: 0, y: 40, window: '@w2' } },
  ],
  run: (ctx, input) => controlWindow(ctx, { kind: 'move', x: input.x, y: input.y }, input),
});
