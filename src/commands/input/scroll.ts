import { mentionParameter } from '../../model/text/mention.ts';
import { z } from 'zod';
import { onElements } from '../../model/effects/guarantees.ts';
import {
  Target,
  SCROLL_DIRECTIONS,
  actOptions,
  flag,
  timeout,
  exactlyOne,
  excludes,
  windowScope,
} from '../../registry/define.ts';
import { inputCommand } from '../receipt-command.ts';

export default inputCommand({
  name: 'scroll',
  takesSeat: true,
  guarantee: onElements({
    accessibility: {
      disturbs: 'nothing',
      confirmedBy: 'a fresh read that shows the element in view, and others that moved with it',
      except: `without ${mentionParameter('to')} or outside Firefox and Chromium: then it is refused`,
    },
    pointer: {
      disturbs: 'pointer',
      confirmedBy: 'elements that moved together, or a change the application reported',
    },
  }),
  toolsets: ['core', 'input'],
  summary: 'Scroll a window or an element, or bring an element into view.',
  description: 'At the end the call fails harmlessly.',
  input: z
    .object({
      direction: z.enum(SCROLL_DIRECTIONS).optional().describe('Turns the wheel.'),
      ref: Target.describe('Element to scroll in. Default: the window.').optional(),
      to: Target.describe('Element to bring into view instead.').optional(),
      amount: z.int().min(1).max(20_000).default(200).describe('Approximate distance in pixels.'),
      page: flag('Scroll by most of what is visible.'),
      ...windowScope,
      timeout_ms: timeout(10_000),
    })
    .refine(...exactlyOne('direction', 'to'))
    .refine(...excludes('ref', 'app', 'window'))
    .refine(...excludes('to', 'app', 'window')),
  positionals: ['direction'],
  examples: [
    { about: 'Down in a list', input: { direction: 'down', ref: '@e12' } },
    { about: 'A page of a window', input: { direction: 'down', page: true, app: 'Firefox' } },
    { about: 'Until an element is in view', input: { to: '@e40' } },
  ],
  run: async (ctx, { direction, ref, to, amount, page, app, window, ...input }) => {
    const engine = await ctx.engine({ targets: [to, ref, window] });
    const options = actOptions(ctx, input);
    if (to !== undefined) return engine.scrollTo({ ref: to, ...options });
    return engine.scroll({
      direction: direction ?? 'down',
      ref,
      amount: page ? 'page' : amount,
      app,
      window,
      ...options,
    });
  },
});
