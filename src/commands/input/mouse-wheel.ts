import { mentionCommand } from '../../model/text/mention.ts';
import { z } from 'zod';
import { byPointer } from '../../model/effects/guarantees.ts';
import { PIXELS_PER_NOTCH, actOptions, timeout } from '../../registry/define.ts';
import { inputCommand } from '../receipt-command.ts';

const MOST_PIXELS = 20_000;
const Distance = z.int().min(-MOST_PIXELS).max(MOST_PIXELS);

export default inputCommand({
  name: ['mouse', 'wheel'],
  takesSeat: true,
  guarantee: byPointer('elements that moved together, or a change the application reported'),
  title: 'Turn the wheel',
  summary: 'Turn the wheel at the pointer’s position.',
  description: `Distances are in pixels, one notch per ${PIXELS_PER_NOTCH}; the application decides how far the content moves. To scroll an element or a window use ${mentionCommand('scroll')}.`,
  input: z.object({
    dy: Distance.describe('Pixels; positive is down.'),
    dx: Distance.default(0).describe('Pixels; positive is to the right.'),
    timeout_ms: timeout(10_000),
  }),
  positionals: ['dy', 'dx'],
  examples: [
    { about: 'Two notches down', input: { dy: 100 } },
    { about: 'One notch to the right', input: { dy: 0, dx: 50 } },
  ],
  run: async (ctx, { dy, dx, ...input }) => {
    const engine = await ctx.engine();
    return engine.mouse.wheel({ notches: { x: notches(dx), y: notches(dy) }, ...actOptions(ctx, input) });
  },
});

/** Rounded away from zero, so that a small distance still turns the wheel. */
function notches(pixels: number): number {
  return Math.sign(pixels) * Math.ceil(Math.abs(pixels) / PIXELS_PER_NOTCH);
}
