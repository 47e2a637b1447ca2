import type { z } from 'zod';
import type { WindowReceipt } from '../model/effects/effect.ts';
import type { WindowRequest } from '../ports/desktop.ts';
import type { CommandContext } from './define.ts';
import { App, timeout, WindowSelector } from './parameters.ts';
import { settleLimits } from './settle-limits.ts';

/** Largest coordinate or size in pixels that the X protocol has. */
export const LARGEST_PIXEL = 32_767;

/** How a command names the window that it asks something of. */
export const windowTarget = {
  app: App.optional(),
  window: WindowSelector.optional(),
  timeout_ms: timeout(10_000),
};

type WindowTarget = z.output<z.ZodObject<typeof windowTarget>>;

/** Asks something of the window that the input names. */
export async function controlWindow(
  ctx: CommandContext,
  request: WindowRequest,
  { app, window, timeout_ms: deadlineMs }: WindowTarget,
): Promise<WindowReceipt> {
  const engine = await ctx.engine({ targets: [window] });
  return engine.controlWindow({
    request,
    app,
    window,
    settle: settleLimits(ctx),
    deadlineMs,
    signal: ctx.signal,
  });
}
