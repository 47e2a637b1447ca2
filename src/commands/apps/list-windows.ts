import { mentionParameter } from '../../model/text/mention.ts';
import { z } from 'zod';
import { line, span } from '../../model/text/page.ts';
import { WindowSummary } from '../../model/refs/target.ts';
import {
  App,
  defineCommand,
  flag,
  outlineWindow,
  tableOfWindows,
  timeout,
  callLimits,
} from '../../registry/define.ts';

export default defineCommand({
  name: 'list-windows',
  group: 'apps',
  kind: 'read',
  toolsets: ['core'],
  needs: ['windows'],
  summary: 'List application windows with a reference (@w1) for each.',
  input: z.object({
    app: App.optional(),
    focused_only: flag('Only the one with keyboard focus.'),
    include_minimized: flag('Also list minimized windows.'),
    timeout_ms: timeout(5000),
  }),
  bare: 'app',
  output: z.object({
    windows: z.array(WindowSummary),
    count: z.int().nonnegative(),
    minimized_left_out: z.int().nonnegative(),
  }),
  examples: [
    { about: 'All windows of all applications', input: {} },
    {
      about: 'The windows of one application, minimized ones too',
      input: { app: 'KCalc', include_minimized: true },
    },
    { about: 'The window that has keyboard focus', input: { focused_only: true } },
  ],
  outline: ({ windows, minimized_left_out }) => {
    const lines = windows.map((window) => outlineWindow(window));
    if (lines.length === 0) lines.push('no windows');
    if (minimized_left_out > 0)
      lines.push(
        `${minimized_left_out} minimized left out: ${mentionParameter('include_minimized')} lists them`,
      );
    return lines.join('\n');
  },
  page: ({ windows, minimized_left_out: minimized }) => [
    windows.length === 0 ? line('no windows') : tableOfWindows(windows),
    ...(minimized === 0
      ? []
      : [
          line(
            span(
              `${minimized} minimized left out: ${mentionParameter('include_minimized')} lists them`,
              'quiet',
            ),
          ),
        ]),
  ],
  run: async (ctx, input) => {
    const engine = await ctx.engine();
    const all = await engine.listWindows({
      app: input.app,
      focusedOnly: input.focused_only,
      includeMinimized: true,
      ...callLimits(ctx, input),
    });
    const windows = all.filter((window) => input.include_minimized || !window.minimized);
    return { windows, count: windows.length, minimized_left_out: all.length - windows.length };
  },
});
