import { z } from 'zod';
import { WindowReceipt } from '../model/effect.ts';
import {
  App,
  WindowSelector,
  defineCommand,
  outlineReceipt,
  settleLimits,
  timeout,
} from '../registry/define.ts';

/** Of the X protocol. */
const LARGEST = 32_767;

export default defineCommand({
  name: 'move-window',
  group: 'windows',
  kind: 'act',
  title: 'Move a window',
  toolsets: ['windows'],
  needs: ['windows'],
  idempotent: true,
  summary: 'Move a window to a place on the screen.',
  description:
    'Without --app and --window it is the active window. X and Y are where its contents begin, below the title bar, as list-windows tells them in "bounds". Its size and the keyboard focus stay as they are. A window that ends up elsewhere is reported as ACTION_FAILED with where it is.',
  input: z.object({
    x: z.int().min(-LARGEST).max(LARGEST).describe('Left edge of its contents, in screen pixels.'),
    y: z.int().min(-LARGEST).max(LARGEST).describe('Upper edge of its contents, in screen pixels.'),
    app: App.optional(),
    window: WindowSelector.optional(),
    timeout_ms: timeout(10_000),
  }),
  positionals: ['x', 'y'],
  output: WindowReceipt,
  examples: [
    { about: 'Move the active window', input: { x: 100, y: 80 } },
    { about: 'Move a window that was listed', input: { x: 0, y: 40, window: '@w2' } },
  ],
  outline: outlineReceipt,
  run: async (ctx, input) => {
    const engine = await ctx.engine();
    return engine.controlWindow({
      request: { kind: 'move', x: input.x, y: input.y },
      app: input.app,
      window: input.window,
      settle: settleLimits(ctx),
      deadlineMs: input.timeout_ms,
      signal: ctx.signal,
    });
  },
});
