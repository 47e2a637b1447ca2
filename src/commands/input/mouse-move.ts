import { mentionCommand } from '../../model/text/mention.ts';
import { z } from 'zod';
import { byPointer } from '../../model/effects/guarantees.ts';
import { Pixel, actOptions, flag, timeout } from '../../registry/define.ts';
import { inputCommand } from '../receipt-command.ts';

export default inputCommand({
  name: ['mouse', 'move'],
  takesSeat: true,
  guarantee: byPointer('the display reporting the pointer there'),
  title: 'Move the pointer',
  summary: 'Move the pointer to a point on the screen.',
  description: `Coordinates are physical screen pixels, as in bounds and screenshots. To point at an element use ${mentionCommand('hover')}.`,
  input: z.object({
    x: Pixel,
    y: Pixel,
    relative: flag('Take x and y as distances from the pointer.'),
    timeout_ms: timeout(10_000),
  }),
  positionals: ['x', 'y'],
  examples: [
    { about: 'To a point', input: { x: 640, y: 360 } },
    { about: 'Ten pixels to the left', input: { x: -10, y: 0, relative: true } },
  ],
  run: async (ctx, { x, y, relative, ...input }) => {
    const engine = await ctx.engine();
    return engine.mouse.move({ point: { x, y }, isRelative: relative, ...actOptions(ctx, input) });
  },
});
