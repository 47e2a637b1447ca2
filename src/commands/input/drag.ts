import { z } from 'zod';
import { byPointer, CHANGE_SEEN } from '../../model/effects/guarantees.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import { Target, actOptions, timeout, exactlyOne } from '../../registry/define.ts';
import { inputCommand } from '../receipt-command.ts';

const Point = z.string().min(1);
const Coordinates = z.string().describe('Screen pixels: X,Y.');

export default inputCommand({
  name: 'drag',
  takesSeat: true,
  guarantee: byPointer(CHANGE_SEEN),
  summary: 'Drag from one element or point to another with the left button.',
  description:
    'Both ends are made reachable and checked first. If a window closes or the call is cancelled on the way, the button is released and the call fails. Check the result: not every application reports it.',
  input: z
    .object({
      from: Point.describe(
        'Where to start: an element (@e3 or a locator), or X,Y in screen pixels.',
      ).optional(),
      to: Point.describe('Where to release, in the same forms.').optional(),
      from_ref: Target.describe('Element to start from.').optional(),
      to_ref: Target.describe('Element to release on.').optional(),
      from_xy: Coordinates.optional(),
      to_xy: Coordinates.optional(),
      duration_ms: z.int().min(0).max(60_000).default(500).describe('How long the movement takes.'),
      timeout_ms: timeout(10_000).describe('Deadline in milliseconds; the duration is added.'),
    })
    .refine(...exactlyOne('from', 'from_ref', 'from_xy'))
    .refine(...exactlyOne('to', 'to_ref', 'to_xy')),
  positionals: ['from', 'to'],
  examples: [
    { about: 'One element onto another', input: { from: '@e3', to: '@e8' } },
    { about: 'Between points', input: { from: '100,200', to: '300,200', duration_ms: 800 } },
  ],
  deadlineMs: (input) => input.timeout_ms + input.duration_ms,
  run: async (ctx, { from, to, from_ref, to_ref, from_xy, to_xy, duration_ms, ...input }) => {
    const engine = await ctx.engine({ targets: [from, to, from_ref, to_ref] });
    return engine.drag({
      from: endOf(from ?? from_ref ?? from_xy),
      to: endOf(to ?? to_ref ?? to_xy),
      durationMs: duration_ms,
      ...actOptions(ctx, { ...input, timeout_ms: input.timeout_ms + duration_ms }),
    });
  },
});

/** @throws DeskterityError INVALID_ARGUMENT */
function endOf(
  text = '',
): { readonly ref: string } | { readonly point: { readonly x: number; readonly y: number } } {
  const point = parsePoint(text);
  if (point) return { point };
  if (Target.safeParse(text).success) return { ref: text };
  throw new DeskterityError(
    'INVALID_ARGUMENT',
    `${JSON.stringify(text.slice(0, 80))} is not an element or X,Y.`,
    {
      suggestion: 'Give an element reference such as @e7, a locator, or screen pixels such as 120,300.',
      delivered: false,
    },
  );
}

/** Reads `120,300`. */
function parsePoint(text: string): { readonly x: number; readonly y: number } | undefined {
  const match = /^\s*(-?\d{1,5})\s*,\s*(-?\d{1,5})\s*$/.exec(text);
  return match ? { x: Number(match[1]), y: Number(match[2]) } : undefined;
}
