import { mentionParameter } from '../../model/text/mention.ts';
import { z } from 'zod';
import { OutputNode } from '../../model/tree/node.ts';
import { outlineLine } from '../../model/tree/outline.ts';
import { clip, quote } from '../../model/text/untrusted-text.ts';
import { App, defineCommand, timeout, callLimits } from '../../registry/define.ts';

export default defineCommand({
  name: 'focused',
  group: 'observation',
  kind: 'read',
  title: 'Focused element',
  toolsets: ['verify'],
  needs: ['tree'],
  summary: 'Show the element that has keyboard focus.',
  description: `Looks in the active window, or in one application with ${mentionParameter('app')}. If nothing has the focus, "element" is null, which is not an error.`,
  input: z.object({
    app: App.describe('Application (name or process id). Default: the active window.').optional(),
    timeout_ms: timeout(5000),
  }),
  bare: 'app',
  output: z.object({
    element: z.union([OutputNode, z.null()]),
    text: z.string().optional().describe('Text content of the element, if any.'),
  }),
  examples: [
    { about: 'See where typed text would go', input: {} },
    { about: 'The focused element of one application', input: { app: 'Kate' } },
  ],
  outline: ({ element, text }) => {
    if (element === null) return 'nothing has keyboard focus';
    const shown =
      text === undefined || text === element.value || text === element.name
        ? ''
        : `  text: ${quote(clip(text, 1000))}`;
    return outlineLine(element, 0) + shown;
  },
  run: async (ctx, input) => {
    const engine = await ctx.engine();
    const info = await engine.focused({ app: input.app, ...callLimits(ctx, input) });
    if (info === undefined) return { element: null };
    return { element: info.node, ...(info.text === undefined ? {} : { text: info.text }) };
  },
});
