import { z } from 'zod';
import { OutputNode } from '../model/node.ts';
import { outlineLine } from '../model/outline.ts';
import { WindowSummary } from '../model/target.ts';
import {
  App,
  defineCommand,
  ElementRef,
  MAX_TIMEOUT_MS,
  outlineWindow,
  timeout,
} from '../registry/define.ts';

export default defineCommand({
  name: 'wait',
  group: 'waiting',
  kind: 'read',
  title: 'Wait',
  toolsets: ['core'],
  summary: 'Wait for a time, for an element to be visible, or for a window to appear.',
  description:
    'Give exactly one of: a number of milliseconds, --element, --window. A wait that runs out fails with TIMEOUT (exit code 7).',
  input: z
    .object({
      ms: z.int().min(0).max(MAX_TIMEOUT_MS).optional().describe('Milliseconds to wait.'),
      element: ElementRef.describe('Wait until this element exists and is visible, such as @e7.').optional(),
      window: z
        .string()
        .min(1)
        .optional()
        .describe('Wait until there is a window whose title contains this, in any case.'),
      app: App.describe('Only windows of this application (name or process id); with --window.').optional(),
      timeout_ms: timeout(5000).describe('Longest time to wait for --element or --window, in milliseconds.'),
    })
    .refine(
      ({ ms, element, window }) => [ms, element, window].filter((given) => given !== undefined).length === 1,
      {
        path: ['ms'],
        error: 'or --element or --window is needed, and only one of them',
      },
    )
    .refine(({ app, window }) => app === undefined || window !== undefined, {
      path: ['app'],
      error: 'is only accepted together with --window',
    }),
  positionals: ['ms'],
  output: z.object({
    waited_ms: z.int().nonnegative(),
    element: OutputNode.optional(),
    window: WindowSummary.optional(),
  }),
  examples: [
    { about: 'Half a second', input: { ms: 500 } },
    { about: 'Until a button is visible', input: { element: '@e7' } },
    {
      about: 'Until a dialog opens, for ten seconds at most',
      input: { window: 'Save As', app: 'Kate', timeout_ms: 10_000 },
    },
  ],
  deadlineMs: ({ ms, timeout_ms }) => ms ?? timeout_ms,
  outline: ({ waited_ms, element, window }) => {
    const lines = [`waited ${waited_ms} ms`];
    if (element !== undefined) lines.push(outlineLine(element, 0).trimEnd());
    if (window !== undefined) lines.push(outlineWindow(window));
    return lines.join('\n');
  },
  run: async (ctx, input) => {
    const began = ctx.clock.now();
    const waited = () => Math.max(0, Math.round(ctx.clock.now() - began));
    if (input.ms !== undefined) {
      ctx.progress?.({ message: 'waiting' });
      await ctx.clock.sleep(input.ms, ctx.signal);
      return { waited_ms: waited() };
    }
    const engine = await ctx.engine();
    const call = { deadlineMs: input.timeout_ms, signal: ctx.signal };
    ctx.progress?.({ message: `waiting for ${input.element ?? 'a window'}` });
    if (input.element !== undefined) {
      const element = await engine.waitForElement({ element: input.element, ...call });
      return { waited_ms: waited(), element };
    }
    const window = await engine.waitForWindow({ title: input.window ?? '', app: input.app, ...call });
    return { waited_ms: waited(), window };
  },
});
