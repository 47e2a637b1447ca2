import { mentionParameter } from '../../model/text/mention.ts';
import { z } from 'zod';
import { onElements } from '../../model/effects/guarantees.ts';
import { Receipt } from '../../model/effects/effect.ts';
import {
  App,
  Target,
  SCROLL_DIRECTIONS,
  WindowSelector,
  actOptions,
  defineCommand,
  flag,
  outlineReceipt,
  timeout,
} from '../../registry/define.ts';

export default defineCommand({
  name: 'scroll',
  group: 'input',
  kind: 'input',
  guarantee: onElements({
    accessibility: {
      disturbs: 'nothing',
      confirmedBy: 'the element in view, and others that moved with it',
      except: `only ${mentionParameter('to')} an element, and only in Firefox and Chromium`,
    },
    pointer: {
      disturbs: 'pointer',
      confirmedBy: 'elements that moved alike, or a change that the application told of',
    },
  }),
  title: 'Scroll',
  toolsets: ['core', 'input'],
  needs: ['input'],
  summary: 'Scroll a window or an element, or bring an element into view.',
  description:
    'A direction turns the wheel with the pointer over it; an element is brought into view without it where its toolkit obeys. "confirmed" means that what is in view was seen to move; at the end, where nothing moves, it is a harmless failure.',
  input: z
    .object({
      direction: z.enum(SCROLL_DIRECTIONS).optional().describe('Where to look next.'),
      ref: Target.describe('Element to scroll in; the window when not given.').optional(),
      to: Target.describe('Element to bring into view, instead of a direction.').optional(),
      amount: z.int().min(1).max(20_000).default(200).describe('About so many pixels.'),
      page: flag('Most of what is in view, instead of an amount.'),
      app: App.optional(),
      window: WindowSelector.optional(),
      timeout_ms: timeout(10_000),
    })
    .refine(({ direction, to }) => (direction === undefined) !== (to === undefined), {
      path: ['direction'],
      error: `is needed, or ${mentionParameter('to')} with an element; not both`,
    })
    .refine(({ ref, to, app, window }) => (ref ?? to) === undefined || (app ?? window) === undefined, {
      path: ['ref'],
      error: `names its window already; leave out ${mentionParameter('app')} and ${mentionParameter('window')}`,
    }),
  positionals: ['direction'],
  output: Receipt,
  examples: [
    { about: 'Down in a list', input: { direction: 'down', ref: '@e12' } },
    { about: 'A page of a window', input: { direction: 'down', page: true, app: 'Firefox' } },
    { about: 'Until an element is in view', input: { to: '@e40' } },
  ],
  outline: outlineReceipt,
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
