import { mentionCommand } from '../../model/text/mention.ts';
import { z } from 'zod';
import { byPointer, CHANGE_OR_POPUP_SEEN } from '../../model/effects/guarantees.ts';
import { ButtonChoice, Pixel, actOptions, timeout } from '../../registry/define.ts';
import { inputCommand } from '../receipt-command.ts';

export default inputCommand({
  name: ['mouse', 'click'],
  takesSeat: true,
  guarantee: byPointer(CHANGE_OR_POPUP_SEEN),
  title: 'Click at a point',
  summary: 'Click at a point on the screen, whatever is there.',
  description: `For content that no accessibility tree shows. "via" names the element that was there. If you have a reference use ${mentionCommand('click')}, which makes sure that the right element receives the click.`,
  input: z.object({
    x: Pixel,
    y: Pixel,
    button: ButtonChoice,
    count: z.int().min(1).max(3).default(1).describe('Number of presses; 2 is a double click.'),
    timeout_ms: timeout(10_000),
  }),
  positionals: ['x', 'y'],
  examples: [
    { about: 'A click', input: { x: 640, y: 360 } },
    { about: 'Open the context menu there', input: { x: 640, y: 360, button: 'right' } },
  ],
  run: async (ctx, { x, y, button, count, ...input }) => {
    const engine = await ctx.engine();
    return engine.mouse.click({ point: { x, y }, button, count, ...actOptions(ctx, input) });
  },
});
