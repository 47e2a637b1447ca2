import { byPerson, mentionCommand } from '../model/text/mention.ts';
import type { z } from 'zod';
import type { Engine } from '../engine/engine.ts';
import type { ModedRequest } from '../engine/requests/acting.ts';
import type { Receipt, WindowReceipt } from '../model/effects/effect.ts';
import { DeskterityError } from '../model/effects/errors.ts';
import type { Mode } from '../model/effects/mode.ts';
import type { WindowRequest } from '../ports/desktop/windows.ts';
import type { CommandContext } from './definition.ts';
import { App, timeout, WindowSelector } from './parameters.ts';

export type { PointerGesture, SemanticActKind } from '../engine/requests/acting.ts';

/** The deadline of a call and its cancellation. */
export function callLimits(
  { signal }: Pick<CommandContext, 'signal'>,
  { timeout_ms: deadlineMs }: { readonly timeout_ms: number },
): { deadlineMs: number; signal: AbortSignal } {
  return { deadlineMs, signal };
}

interface ActInput {
  readonly timeout_ms: number;
  readonly mode?: Mode | undefined;
  readonly heal?: boolean | undefined;
}

/** The options of every act, from the caller's input and settings. */
export function actOptions(ctx: CommandContext, input: ActInput): Omit<ModedRequest, 'ref'> {
  return {
    mode: input.mode,
    heal: input.heal,
    ...settledCall(ctx, input),
  };
}

/** The limits of a call that waits until the desktop has settled after an act. */
export function settledCall(ctx: CommandContext, input: { readonly timeout_ms: number }) {
  const { quiet_ms: quietMs, limit_ms: limitMs } = ctx.configuration.values.settle;
  return {
    settle: { quietMs, limitMs },
    onTarget: ctx.onTarget,
    onApplication: ctx.onApplication,
    onReversal: ctx.onReversal,
    guard: ctx.guard,
    ...(ctx.isDeadlineGiven === false ? { isImpatient: true } : {}),
    ...callLimits(ctx, input),
  };
}

/** For a command on one element: does something with it. */
export function performOn(perform: (engine: Engine, request: ModedRequest) => Promise<Receipt>) {
  return async (ctx: CommandContext, input: ActInput & { readonly ref: string }): Promise<Receipt> => {
    const engine = await ctx.engine({ targets: [input.ref] });
    return perform(engine, { ref: input.ref, ...actOptions(ctx, input) });
  };
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
  { app, window, ...input }: WindowTarget,
): Promise<WindowReceipt> {
  const engine = await ctx.engine({ targets: [window] });
  return engine.controlWindow({ request, app, window, ...settledCall(ctx, input) });
}

/** A held key or button needs a process to release it. @throws DeskterityError DAEMON_UNAVAILABLE if this process ends with the call */
export function requireOutlivingCall({ outlivesCall }: CommandContext, what: string): void {
  if (outlivesCall === true) return;
  throw new DeskterityError('DAEMON_UNAVAILABLE', `${what} would stay held after this process exits.`, {
    suggestion: `${byPerson('Start this without --no-daemon')}, or use a call that presses and releases: ${mentionCommand('press', { keys: 'ctrl+s' })} or ${mentionCommand('drag')}.`,
    delivered: false,
  });
}
