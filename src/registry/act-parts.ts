import { mentionCommand } from '../model/text/mention.ts';
import type { z } from 'zod';
import type { Engine } from '../engine/engine.ts';
import type { ModedRequest } from '../engine/requests/acting.ts';
import type { Receipt, WindowReceipt } from '../model/effects/effect.ts';
import { DeskterityError } from '../model/effects/errors.ts';
import type { Mode } from '../model/effects/mode.ts';
import type { WindowRequest } from '../ports/desktop.ts';
import type { CommandContext } from './definition.ts';
import { App, timeout, WindowSelector } from './parameters.ts';

/** What every act is told of its caller. */
export function actOptions(
  ctx: CommandContext,
  input: {
    readonly timeout_ms: number;
    readonly mode?: Mode | undefined;
    readonly heal?: boolean | undefined;
  },
): Omit<ModedRequest, 'ref'> {
  return {
    mode: input.mode,
    heal: input.heal,
    settle: settleLimits(ctx),
    deadlineMs: input.timeout_ms,
    signal: ctx.signal,
  };
}

interface ActInput {
  readonly ref: string;
  readonly mode?: Mode | undefined;
  readonly heal?: boolean | undefined;
  readonly timeout_ms: number;
}

/** Carries out an act that names what the element shall be or do. */
export async function semanticAct(
  ctx: CommandContext,
  act: Parameters<Engine['act']>[0]['act'],
  input: ActInput,
): Promise<Receipt> {
  const engine = await ctx.engine({ targets: [input.ref] });
  return engine.act({ act, ref: input.ref, ...actOptions(ctx, input) });
}

/** Carries out what only a pointer can do. */
export async function pointerGesture(
  ctx: CommandContext,
  gesture: Parameters<Engine['gesture']>[0]['gesture'],
  input: ActInput,
): Promise<Receipt> {
  const engine = await ctx.engine({ targets: [input.ref] });
  return engine.gesture({ gesture, ref: input.ref, ...actOptions(ctx, input) });
}

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

/** The caller's settings for when an act has come to rest. */
export function settleLimits({ configuration }: Pick<CommandContext, 'configuration'>): {
  quietMs: number;
  limitMs: number;
} {
  const { quiet_ms: quietMs, limit_ms: limitMs } = configuration.values.settle;
  return { quietMs, limitMs };
}

/** What is held down must be let go by somebody. @throws DeskterityError DAEMON_UNAVAILABLE where this process ends with the call */
export function requireLivingOn({ outlivesCall }: CommandContext, what: string): void {
  if (outlivesCall === true) return;
  throw new DeskterityError('DAEMON_UNAVAILABLE', `${what} would stay held when this process has ended.`, {
    suggestion: `Leave --no-daemon out, or use one call that holds and lets go: ${mentionCommand('press', { keys: 'ctrl+s' })}, ${mentionCommand('drag')}.`,
    delivered: false,
  });
}
