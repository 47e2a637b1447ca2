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

/** The deadline of a call and its cancellation. */
export function callLimits(
  { signal }: Pick<CommandContext, 'signal'>,
  { timeout_ms: deadlineMs }: { readonly timeout_ms: number },
): { deadlineMs: number; signal: AbortSignal } {
  return { deadlineMs, signal };
}

/** The options of every act, from the caller's input and settings. */
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

/** Performs an act that says what the element should become or do. */
export async function semanticAct(
  ctx: CommandContext,
  act: Parameters<Engine['act']>[0]['act'],
  input: ActInput,
): Promise<Receipt> {
  const engine = await ctx.engine({ targets: [input.ref] });
  return engine.act({ act, ref: input.ref, ...actOptions(ctx, input) });
}

/** Performs an act that only the pointer can do. */
export async function pointerGesture(
  ctx: CommandContext,
  gesture: Parameters<Engine['gesture']>[0]['gesture'],
  input: ActInput,
): Promise<Receipt> {
  const engine = await ctx.engine({ targets: [input.ref] });
  return engine.gesture({ gesture, ref: input.ref, ...actOptions(ctx, input) });
}

/** How a command names the window it reads or acts on. */
export const windowScope = { app: App.optional(), window: WindowSelector.optional() };

/** How a command names the window it controls. */
export const windowTarget = { ...windowScope, timeout_ms: timeout(10_000) };

type WindowTarget = z.output<z.ZodObject<typeof windowTarget>>;

/** Controls the window that the input names. */
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

/** The caller's settings for when the desktop has settled after an act. */
export function settleLimits({ configuration }: Pick<CommandContext, 'configuration'>): {
  quietMs: number;
  limitMs: number;
} {
  const { quiet_ms: quietMs, limit_ms: limitMs } = configuration.values.settle;
  return { quietMs, limitMs };
}

/** A held key or button needs a process to release it. @throws DeskterityError DAEMON_UNAVAILABLE if this process ends with the call */
export function requireOutlivingCall({ outlivesCall }: CommandContext, what: string): void {
  if (outlivesCall === true) return;
  throw new DeskterityError('DAEMON_UNAVAILABLE', `${what} would stay held after this process exits.`, {
    suggestion: `Leave out --no-daemon, or use a call that presses and releases: ${mentionCommand('press', { keys: 'ctrl+s' })} or ${mentionCommand('drag')}.`,
    delivered: false,
  });
}
