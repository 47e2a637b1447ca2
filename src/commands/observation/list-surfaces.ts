import { mentionCommand } from '../../model/text/mention.ts';
import { z } from 'zod';
import { outlineSurface, Surface } from '../../model/refs/surface.ts';
import {
  App,
  callLimits,
  completeness,
  completenessOf,
  defineCommand,
  timeout,
} from '../../registry/define.ts';

export default defineCommand({
  name: 'list-surfaces',
  group: 'observation',
  kind: 'read',
  title: 'List open menus and dialogs',
  needs: ['tree'],
  summary: 'List the menus, dialogs, sheets, popovers, combo-box lists and tooltips that are open now.',
  description: `Default: of all applications. Read one with ${mentionCommand('snapshot', { surface: 'REF' })}. What the display shows but its application does not describe is listed without a reference.`,
  input: z.object({ app: App.optional(), timeout_ms: timeout(5000) }),
  positionals: ['app'],
  output: z.object({
    surfaces: z.array(Surface).describe('By window; the outer before the inner.'),
    count: z.int().nonnegative(),
    ...completeness,
  }),
  examples: [
    { about: 'Everything that is open', input: {}, format: 'outline' },
    { about: 'What one application has open', input: { app: 'KCalc' } },
  ],
  outline: ({ surfaces, complete, incomplete_reasons: reasons = [] }) =>
    [
      ...(surfaces.length === 0 ? ['nothing is open over a window'] : surfaces.map(outlineSurface)),
      ...(complete ? [] : [`incomplete: ${reasons.join('; ')}`]),
    ].join('\n'),
  run: async (ctx, input) => {
    const engine = await ctx.engine();
    const { surfaces, incompleteReasons } = await engine.surfaces({
      app: input.app,
      ...callLimits(ctx, input),
    });
    return {
      surfaces: [...surfaces],
      count: surfaces.length,
      ...completenessOf({ complete: incompleteReasons.length === 0, incompleteReasons }),
    };
  },
});
